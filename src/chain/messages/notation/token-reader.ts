const TOKEN = /[A-Za-z_]\w*|\d+|<=|>=|[@^?<>{}[\],.=+*]|\S/g;
const WORD = /^[A-Za-z_]/;
const DIGITS = /^\d+$/;

/** Reads the words and signs of a layout one after another. Anything unexpected is a mistake in our own tables. */
export class TokenReader {
  readonly #text: string;
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = text.match(TOKEN) ?? [];
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  /** A token that is to come, the next one unless told otherwise. */
  peek(ahead = 0): string | undefined {
    return this.#tokens[this.#at + ahead];
  }

  /** Whether a word is to come. */
  isWord(ahead = 0): boolean {
    return WORD.test(this.peek(ahead) ?? '');
  }

  next(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw this.mistake('more');
    return token;
  }

  /** Moves past a sign if it is the next one. */
  skip(sign: string): boolean {
    if (this.peek() !== sign) return false;
    this.#at++;
    return true;
  }

  expect(sign: string): void {
    if (!this.skip(sign)) throw this.mistake(sign);
  }

  word(): string {
    if (!this.isWord()) throw this.mistake('a word');
    return this.next();
  }

  number(): number {
    if (!DIGITS.test(this.peek() ?? '')) throw this.mistake('a number');
    return Number(this.next());
  }

  /** An error that tells what was expected here. */
  mistake(expected: string): Error {
    return new Error(`layout "${this.#text}": ${expected} expected, found "${this.peek() ?? 'its end'}"`);
  }
}
