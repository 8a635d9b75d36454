import { coinName } from './coin.ts';

const NANO_DIGITS = 9;

/** An integer amount with decimals as people write it: groups of three digits, no zeros at the end. */
export function formatUnits(amount: string | bigint, decimals: number, maxFraction = decimals): string {
  const value = BigInt(amount);
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  const fraction = digits
    .slice(digits.length - decimals)
    .slice(0, maxFraction)
    .replace(/0+$/, '');
  const isTiny = value !== 0n && whole === '0' && fraction === '';
  const text = isTiny
    ? `<0.${'1'.padStart(maxFraction, '0')}`
    : fraction === ''
      ? whole
      : `${whole}.${fraction}`;
  return value < 0n ? `−${text}` : text;
}

/** Nanotons as coins, without the unit. */
export function formatTon(nano: string | bigint): string {
  return formatUnits(nano, NANO_DIGITS);
}

export function Ton({ nano }: { readonly nano: string | bigint | null | undefined }) {
  if (nano === null || nano === undefined) return <span class="muted">–</span>;
  return (
    <span class="amount">
      {formatTon(nano)}
      <span class="unit"> {coinName()}</span>
    </span>
  );
}
