// The derived roads, by the names the house uses on the wire.
export type DerivedRoadName = 'big_eye_boy' | 'small_road' | 'cockroach_road';
export const DERIVED: readonly DerivedRoadName[] = ['big_eye_boy', 'small_road', 'cockroach_road'];
