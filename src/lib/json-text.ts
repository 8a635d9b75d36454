import { hash } from 'node:crypto';

/** JSON that is ready: envelopes, and lists and maps that are written in parts, take it in as it is. */
export class JsonText {
  readonly json: string;
  #digest: string | undefined;

  constructor(json: string, digest?: string) {
    this.json = json;
    this.#digest = digest;
  }

  /** Only this text has it: its SHA-256 in base64url, unless another is given. A text that many responses have is hashed once. */
  get digest(): string {
    this.#digest ??= hash('sha256', this.json, 'base64url');
    return this.#digest;
  }
}
