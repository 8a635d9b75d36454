import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import pg from 'pg';

/** What a statement returned, in the shape of the driver's results. */
interface PreparedResult {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: Row[];
}

type Row = Record<string, unknown>;

/** Reads a value at a place of a message. */
type ReadValue = (bytes: Buffer, from: number, to: number) => unknown;

interface Column {
  readonly name: string;
  readonly read: ReadValue;
}

/** The columns of a statement, and whether its values come in binary form. */
interface Columns {
  readonly binary: boolean;
  readonly list: readonly Column[];
}

/** The fields of a RowDescription that are used here. */
interface FieldDescription {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The part of the driver's connection that its types leave out. */
interface DriverConnection {
  readonly stream: Readable & { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string | undefined>;
  attachListeners(stream: EventEmitter): void;
  parse(statement: { readonly text: string; readonly name: string }): void;
  bind(portal: {
    readonly statement: string;
    readonly values: readonly unknown[];
    readonly binary: boolean;
    readonly valueMapper: (value: unknown) => unknown;
  }): void;
  describe(portal: { readonly type: 'P' }): void;
  execute(portal: object): void;
  sync(): void;
}

/** How values are written and read as text: the conversions of the driver. */
interface TextForm {
  readonly write: (value: unknown) => unknown;
  readonly parserOf: (typeId: number) => (text: string) => unknown;
}

/** The readers of types in binary form. Statements with any other type are read as text. */
const BINARY_READERS: ReadonlyMap<number, ReadValue> = new Map<number, ReadValue>([
  [16, (bytes, from) => bytes[from] === 1], // bool
  [17, copyBytes], // bytea
  [20, (bytes, from) => readInt64(bytes, from)], // int8
  [21, (bytes, from) => bytes.readInt16BE(from)], // int2
  [23, (bytes, from) => bytes.readInt32BE(from)], // int4
  [25, (bytes, from, to) => bytes.toString('utf8', from, to)], // text
]);

/** A copy, because a few bytes would keep the whole chunk that was received. */
function copyBytes(bytes: Buffer, from: number, to: number): Buffer {
  return Buffer.from(bytes.subarray(from, to));
}

/** In decimal, as the driver returns it. */
function readInt64(bytes: Buffer, from: number): string {
  const number = bytes.readInt32BE(from) * 2 ** 32 + bytes.readUInt32BE(from + 4);
  return String(Number.isSafeInteger(number) ? number : bytes.readBigInt64BE(from));
}

function toColumns(fields: readonly FieldDescription[], binary: boolean, text: TextForm): Columns {
  const list = fields.map(({ name, dataTypeID }) => {
    if (binary) return { name, read: BINARY_READERS.get(dataTypeID)! };
    const parse = text.parserOf(dataTypeID);
    return {
      name,
      read: (bytes: Buffer, from: number, to: number) => parse(bytes.toString('utf8', from, to)),
    };
  });
  return { binary, list };
}

const CODE_BYTES = 1;
const HEADER_BYTES = 5;
const DATA_ROW = 'D'.charCodeAt(0);

const BaseConnection = pg.Connection as unknown as new (config: pg.ConnectionConfig) => DriverConnection;

/** A connection that hands rows to the running query, and everything else to the driver. */
export class RowConnection extends BaseConnection {
  /** Reads the row at a place of a message; undefined while the driver reads rows itself. */
  readRow: ((bytes: Buffer, from: number) => void) | undefined;

  override attachListeners(stream: EventEmitter): void {
    const rest = new EventEmitter();
    super.attachListeners(rest);
    let pending: Buffer[] = [];
    let pendingBytes = 0;
    let needed = HEADER_BYTES;
    stream.on('data', (chunk: Buffer) => {
      pending.push(chunk);
      pendingBytes += chunk.length;
      if (pendingBytes < needed) return;
      const bytes = pending.length === 1 ? chunk : Buffer.concat(pending, pendingBytes);
      const end = this.#passOn(bytes, rest);
      const left = bytes.length - end;
      pending = left === 0 ? [] : [bytes.subarray(end)];
      pendingBytes = left;
      needed = left < HEADER_BYTES ? HEADER_BYTES : messageBytes(bytes, end);
    });
    stream.on('end', () => rest.emit('end'));
  }

  /** Passes on the whole messages of a chunk; returns where they end. */
  #passOn(bytes: Buffer, rest: EventEmitter): number {
    let start = 0;
    let at = 0;
    while (at + HEADER_BYTES <= bytes.length) {
      const end = at + messageBytes(bytes, at);
      if (end > bytes.length) break;
      if (bytes[at] === DATA_ROW && this.readRow !== undefined) {
        // What came before may end one statement of a batch and begin the next.
        if (start < at) rest.emit('data', bytes.subarray(start, at));
        this.readRow?.(bytes, at + HEADER_BYTES);
        start = end;
      }
      at = end;
    }
    if (start < at) rest.emit('data', bytes.subarray(start, at));
    return at;
  }
}

/**
 * The prepared statements of a connection. The driver describes a statement at each execution and turns every value into a
 * string first. Here the columns are kept from the first execution on, and rows are read from the bytes, `bytea` in binary
 * form: hex would take twice the bytes and most of the time.
 */
export class PreparedStatements {
  readonly #text: TextForm;
  readonly #connection: RowConnection;
  readonly #columns = new Map<string, Columns>();

  constructor(connection: RowConnection, text: TextForm) {
    this.#text = text;
    this.#connection = connection;
  }

  /** The statements to send together; the driver calls its methods. */
  batch(queries: readonly PreparedQuery[]): QueryBatch {
    const parsed = new Set<string>();
    return new QueryBatch(queries, (query) => this.#send(query, parsed), this.#follow);
  }

  #send({ name, sql, values }: PreparedQuery, parsedBefore: Set<string>): void {
    const connection = this.#connection;
    const isParsed = name !== '' && connection.parsedStatements[name] !== undefined;
    if (!isParsed && !parsedBefore.has(name)) connection.parse({ text: sql, name });
    if (name !== '') parsedBefore.add(name);
    const columns = isParsed ? this.#columns.get(name) : undefined;
    const binary = columns?.binary ?? false;
    connection.bind({ statement: name, values, binary, valueMapper: this.#text.write });
    if (columns === undefined) connection.describe({ type: 'P' });
    connection.execute({});
  }

  /** Reads the rows of a query until it is followed by another or by none. */
  readonly #follow = (query: PreparedQuery | undefined, fields?: readonly FieldDescription[]): void => {
    if (query === undefined) {
      this.#connection.readRow = undefined;
      return;
    }
    const known = fields === undefined ? this.#columns.get(query.name) : this.#learn(query, fields);
    this.#connection.readRow = (bytes, from) => query.add(() => readRow(known?.list ?? [], bytes, from));
  };

  /** The columns of this execution, which is read as text; those that follow are binary if possible. */
  #learn({ name }: PreparedQuery, fields: readonly FieldDescription[]): Columns {
    const asText = toColumns(fields, false, this.#text);
    const binary = fields.every(({ dataTypeID }) => BINARY_READERS.has(dataTypeID));
    if (name !== '') this.#columns.set(name, binary ? toColumns(fields, true, this.#text) : asText);
    return asText;
  }
}

function messageBytes(bytes: Buffer, at: number): number {
  return CODE_BYTES + bytes.readUInt32BE(at + CODE_BYTES);
}

function readRow(columns: readonly Column[], bytes: Buffer, from: number): Row {
  const row: Row = {};
  // Behind the number of fields.
  let at = from + 2;
  for (const { name, read } of columns) {
    const length = bytes.readInt32BE(at);
    at += 4;
    row[name] = length < 0 ? null : read(bytes, at, at + length);
    if (length > 0) at += length;
  }
  return row;
}

/** One execution of a statement. */
export class PreparedQuery {
  /** Of the statement on the server; empty if it is not kept. */
  readonly name: string;
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly result: Promise<PreparedResult>;
  readonly #rows: Row[] = [];
  readonly #settle = Promise.withResolvers<PreparedResult>();

  constructor(name: string, sql: string, values: readonly unknown[]) {
    this.name = name;
    this.sql = sql;
    this.values = values;
    this.result = this.#settle.promise;
    // Not every caller waits for every result of a batch.
    this.result.catch(() => {});
  }

  add(read: () => Row): void {
    try {
      this.#rows.push(read());
    } catch (error) {
      this.fail(error);
    }
  }

  complete(tag: string): void {
    const [command = '', ...counts] = tag.split(' ');
    const count = counts.at(-1);
    this.#settle.resolve({ command, rowCount: count === undefined ? null : Number(count), rows: this.#rows });
  }

  fail(error: unknown): void {
    this.#settle.reject(error);
  }
}

/**
 * Statements that are sent together, so that all of them take one round trip. If one fails, those after it are not executed
 * and fail with the same error.
 */
export class QueryBatch {
  readonly #queries: readonly PreparedQuery[];
  readonly #send: (query: PreparedQuery) => void;
  readonly #follow: (query: PreparedQuery | undefined, fields?: readonly FieldDescription[]) => void;
  #at = 0;
  #failure: unknown;
  /** Milliseconds after which the driver gives up; its own limit if undefined. */
  query_timeout: number | undefined;
  /** The driver adds its time limit to it. */
  callback: (error: unknown) => void = () => {};

  constructor(
    queries: readonly PreparedQuery[],
    send: (query: PreparedQuery) => void,
    follow: (query: PreparedQuery | undefined, fields?: readonly FieldDescription[]) => void,
  ) {
    this.#queries = queries;
    this.#send = send;
    this.#follow = follow;
  }

  /** The driver notes the statement that was just parsed by name and text. */
  get name(): string | undefined {
    return this.#queries[this.#at]?.name;
  }

  get text(): string | undefined {
    return this.#queries[this.#at]?.sql;
  }

  submit(connection: pg.Connection): Error | null {
    const { stream } = connection as unknown as DriverConnection;
    stream.cork();
    try {
      for (const query of this.#queries) this.#send(query);
    } catch (error) {
      // A value that cannot be written: the server answers to what was sent, and that must not be taken for results.
      this.#failure = error;
    } finally {
      connection.sync();
      stream.uncork();
    }
    this.#follow(this.#queries[0]);
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDescription[] }): void {
    this.#follow(this.#queries[this.#at], fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#queries[this.#at]?.complete(text);
    this.#at += 1;
    this.#follow(this.#queries[this.#at]);
  }

  handleError(error: unknown): void {
    this.#follow(undefined);
    for (const query of this.#queries.slice(this.#at)) query.fail(error);
    this.callback(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure !== undefined) {
      this.handleError(this.#failure);
      return;
    }
    this.#follow(undefined);
    this.callback(null);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }
}
