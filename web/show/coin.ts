import { signal } from '@preact/signals';

/** What the coin of the network is called, as the server says. */
export const coin = signal('TON');

export function coinName(): string {
  return coin.value;
}

/** A text about TON in the name of the network's coin. */
export function inCoins(text: string): string {
  return text.replace(/\bTON\b/g, coinName());
}
