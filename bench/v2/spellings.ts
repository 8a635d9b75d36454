/** Each raw address in so many spellings: all of them in the first, then all in the second, and so on. */
export function spellings(addresses: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, number) =>
    addresses.map((address) => spell(address, number)),
  ).flat();
}

/** Writes the letters among the hex digits large or small, as the bits of a number say. */
function spell(address: string, number: number): string {
  let bit = 0;
  return address.replace(/[a-f]/g, (letter) => ((number >> bit++) & 1 ? letter.toUpperCase() : letter));
}
