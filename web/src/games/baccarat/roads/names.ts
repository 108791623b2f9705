// The derived roads, by the names the house uses on the wire.
export type DerivedRoadName = 'big_eye' | 'small' | 'cockroach';
export const DERIVED: readonly DerivedRoadName[] = ['big_eye', 'small', 'cockroach'];
