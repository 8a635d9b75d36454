/** A part of a sentence: plain words, a detail to show, or parts that stand or fall together. */
export type SentencePart =
  | { readonly words: string }
  | { readonly show: string; readonly names: readonly string[] }
  | { readonly optional: readonly SentencePart[] };

/** Reads the notation of sentences.ts. */
export function readSentence(text: string): readonly SentencePart[] {
  const parts: SentencePart[] = [];
  for (const [whole, optional, detail] of text.matchAll(/\[([^\]]*)\]|\{([^}]*)\}|[^[{]+/g)) {
    if (optional !== undefined) parts.push({ optional: readSentence(optional) });
    else if (detail !== undefined) {
      const [show = '', ...names] = detail.split(' ');
      parts.push({ show, names });
    } else parts.push({ words: whole });
  }
  return parts;
}

/** A detail by its name; dots lead into objects. */
export function detailOf(details: unknown, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
      details,
    );
}

/** Whether a part can be shown: its first detail is there. Of an amount of tokens, no asset means TON. */
export function isPresent(part: SentencePart, details: unknown): boolean {
  if ('words' in part) return true;
  if ('optional' in part) return part.optional.every((one) => isPresent(one, details));
  const value = detailOf(details, part.names[0]!);
  return value !== undefined && value !== null && value !== '';
}
