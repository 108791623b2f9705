// Money in words: whole numbers of 1/100, grouped, with a true minus; never through a float.

export interface Separators {
  group: string;
  decimal: string;
}

/** `cents`: `always` for statements, `needed` on the cloth where round sums stay short. */
export function written(
  amount: number,
  { group, decimal }: Separators,
  cents: 'always' | 'needed' = 'needed',
): string {
  const whole = Math.abs(Math.trunc(amount));
  const digits = whole.toString().padStart(3, '0');
  const units = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, group);
  const rest = digits.slice(-2);
  const tail = cents === 'always' || rest !== '00' ? decimal + rest : '';
  return (amount < 0 && whole !== 0 ? '−' : '') + units + tail;
}

/** As printed on a chip: 500, 1k, 25k, 1M. */
export function onChip(amount: number): string {
  const units = Math.trunc(amount / 100);
  if (units >= 1_000_000 && units % 1_000_000 === 0) return `${units / 1_000_000}M`;
  if (units >= 1_000 && units % 1_000 === 0) return `${units / 1_000}k`;
  return units > 0 ? `${units}` : `·${(amount % 100).toString().padStart(2, '0')}`;
}

/** What was typed, as an amount; null when it is not one. Both separators of decimals are understood. */
export function typed(text: string, { group, decimal }: Separators): number | null {
  const plain = text.trim().replaceAll(group, '').replaceAll(' ', '').replace(decimal, '.');
  const found = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(plain);
  if (found === null) return null;
  return Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'));
}

/** A pay such as `19 to 20` as two figures: per one staked where that is short (0.95 and 1), else as it is. */
export function paid(pays: string, decimal: string): [win: string, stake: string] {
  const found = /^(\d+(?:\.\d+)?) to (\d+)$/.exec(pays);
  if (found === null) return [pays, '1'];
  const win = found[1] ?? '0';
  const stake = found[2] ?? '1';
  const short = ['10', '20', '25', '50', '100'].includes(stake) && /^\d{1,4}$/.test(win);
  if (!short) return [win.replace('.', decimal), stake];
  const hundredths = Number(win) * (100 / Number(stake));
  const tail = (hundredths % 100).toString().padStart(2, '0').replace(/0$/, '');
  return [`${Math.trunc(hundredths / 100)}${decimal}${tail}`, '1'];
}
