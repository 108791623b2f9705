// How a card bends when it is lifted from an edge or a corner: where the fold runs and what is seen.

export interface Point {
  x: number;
  y: number;
}
export interface Size {
  width: number;
  height: number;
}
export interface Fold {
  /** What of the back still lies, as a polygon of the card. */
  lying: Point[];
  /** What is lifted, as a polygon of the face (which is seen from below, so left and right change). */
  lifted: Point[];
  /** Puts the lifted part of the face over the fold: a, b, c, d, e, f of a CSS matrix. */
  matrix: [number, number, number, number, number, number];
  /** Light on the lifted part: its direction in radians (as CSS counts) and where the fold and its end lie, in px. */
  light: { angle: number; fold: number; end: number };
  /** How much of the way to the far side is lifted, from 0 to 1. */
  share: number;
}

/** Within this share of an edge a grip holds the corner. */
const CORNER = 0.3;
const SHORTEST = 0.5;

/** Where a finger that touched at `touch` holds the card: a corner, or the nearest edge. */
export function grip(touch: Point, { width, height }: Size): Point {
  const x = touch.x < width * CORNER ? 0 : touch.x > width * (1 - CORNER) ? width : null;
  const y = touch.y < height * CORNER ? 0 : touch.y > height * (1 - CORNER) ? height : null;
  if (x !== null && y !== null) return { x, y };
  if (x !== null) return { x, y: touch.y };
  if (y !== null) return { x: touch.x, y };
  return touch.y < height / 2 ? { x: touch.x, y: 0 } : { x: touch.x, y: height };
}

/** The fold when the point `held` of the card is drawn to `drawn`; null while nothing is lifted. */
export function fold(held: Point, drawn: Point, size: Size): Fold | null {
  const pull = inward(held, drawn, size);
  const length = Math.hypot(pull.x, pull.y);
  if (length < SHORTEST) return null;
  const normal = { x: pull.x / length, y: pull.y / length };
  const middle = { x: held.x + pull.x / 2, y: held.y + pull.y / 2 };
  const across = (point: Point): number =>
    (point.x - middle.x) * normal.x + (point.y - middle.y) * normal.y;
  const outline = corners(size);
  const far = Math.max(...outline.map((point) => dot(point, normal))) - dot(held, normal);
  return {
    lying: half(outline, across),
    lifted: half(outline, (point) => -across(point)).map(({ x, y }) => ({ x: size.width - x, y })),
    matrix: mirrored(normal, middle, size),
    light: lit(normal, middle, length / 2, size),
    share: Math.min(1, length / 2 / far),
  };
}

/** A polygon as CSS writes it. */
export function clip(polygon: Point[]): string {
  const points = polygon.map(({ x, y }) => `${x.toFixed(2)}px ${y.toFixed(2)}px`);
  return `polygon(${points.join(', ')})`;
}

/** Only pulls towards the inside of the card lift it; an edge is lifted straight. */
function inward(held: Point, drawn: Point, { width, height }: Size): Point {
  const left = held.x <= 0;
  const right = held.x >= width;
  const top = held.y <= 0;
  const bottom = held.y >= height;
  const dx = drawn.x - held.x;
  const dy = drawn.y - held.y;
  const x = left ? Math.max(0, dx) : right ? Math.min(0, dx) : 0;
  const y = top ? Math.max(0, dy) : bottom ? Math.min(0, dy) : 0;
  return { x: clamp(x, width * 1.9), y: clamp(y, height * 1.9) };
}

function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

function corners({ width, height }: Size): Point[] {
  return [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
}

/** What of a polygon lies where `side` is not negative. */
function half(polygon: Point[], side: (point: Point) => number): Point[] {
  return polygon.flatMap((point, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? point;
    const here = side(point);
    const there = side(next);
    const kept = here >= 0 ? [point] : [];
    if (here >= 0 === there >= 0) return kept;
    const part = here / (here - there);
    const cut = { x: point.x + (next.x - point.x) * part, y: point.y + (next.y - point.y) * part };
    return [...kept, cut];
  });
}

/** First left and right change (the face is seen from below), then the reflection in the fold. */
function mirrored(normal: Point, middle: Point, { width }: Size): Fold['matrix'] {
  const a = 1 - 2 * normal.x * normal.x;
  const b = -2 * normal.x * normal.y;
  const d = 1 - 2 * normal.y * normal.y;
  const shift = 2 * dot(middle, normal);
  return [-a, -b, b, d, a * width + shift * normal.x, b * width + shift * normal.y];
}

function lit(normal: Point, middle: Point, reach: number, size: Size): Fold['light'] {
  const away = { x: normal.x, y: -normal.y };
  const centre = { x: size.width / 2, y: size.height / 2 };
  const line = Math.abs(size.width * away.x) + Math.abs(size.height * away.y);
  const seen = { x: size.width - middle.x, y: middle.y };
  const along = (seen.x - centre.x) * away.x + (seen.y - centre.y) * away.y;
  const start = line / 2 + along;
  return { angle: Math.atan2(away.x, -away.y), fold: start, end: start + reach };
}

function dot(one: Point, other: Point): number {
  return one.x * other.x + one.y * other.y;
}
