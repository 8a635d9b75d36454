/**
 * Undoes what form decoding did to base64 that a client put into a URL without escaping: `+` became a space. The
 * reference server refuses such values; reading them is safe because no valid value has a space, and a wrong
 * guess fails the length, alphabet or checksum test that follows.
 */
export function restorePlus(text: string, ...lengths: readonly number[]): string {
  return lengths.includes(text.length) ? text.replaceAll(' ', '+') : text;
}
