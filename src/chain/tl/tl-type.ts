import { constructorText, TlError } from './tl-error.ts';
import { TlReader } from './tl-reader.ts';
import { TlWriter } from './tl-writer.ts';

/** One TL constructor in both directions; `write` and `read` handle what follows its id. */
export interface TlType<T> {
  /** The name in the schema, for error texts. */
  readonly name: string;
  readonly id: number;
  write(writer: TlWriter, value: T): void;
  read(reader: TlReader): T;
}

/** One function of the lite-server API: its request, and the type of its answer. */
export interface LiteFunction<Request extends { readonly method: string }, Answer> extends TlType<Request> {
  readonly answer: TlType<Answer>;
}

/** How strictly a message is decoded. */
export interface DecodeOptions {
  /** Whether bytes after the end of the message are let through; they are refused otherwise. */
  readonly allowTrailing?: boolean;
}

/** A value with its constructor id before it. */
export function encodeTl<T>(type: TlType<T>, value: T): Buffer {
  const writer = new TlWriter();
  writer.uint(type.id);
  type.write(writer, value);
  return writer.finish();
}

/** The value of a whole message. Its buffers are views of `bytes`. Throws only TlError. */
export function decodeTl<T>(type: TlType<T>, bytes: Uint8Array, options: DecodeOptions = {}): T {
  const reader = new TlReader(bytes);
  const id = reader.uint();
  if (id !== type.id) throw new TlError(`expected ${type.name}, got constructor ${constructorText(id)}`);
  const value = type.read(reader);
  if (options.allowTrailing !== true) reader.end();
  return value;
}
