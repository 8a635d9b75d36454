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

/** Reads the row at a place of a message. */
type ReadRow = (bytes: Buffer, from: number) => Row;

/** The columns of a statement, and whether its values come in binary form. */
interface Columns {
  readonly binary: boolean;
  readonly read: ReadRow;
}

/** The fields of a RowDescription that are used here. */
interface FieldDescription {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The part of the driver's connection that its types leave out. */
interface DriverConnection {
  readonly stream: Readable;
  readonly parsedStatements: Record<string, string | undefined>;
  attachListeners(stream: EventEmitter): void;
  _send(message: Buffer): boolean;
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
  [20, readInt64], // int8
  [21, (bytes, from) => bytes.readInt16BE(from)], // int2
  [23, (bytes, from) => bytes.readInt32BE(from)], // int4
  [25, readText], // text
  [114, (bytes, from, to) => JSON.parse(readText(bytes, from, to))], // json
  [1001, arrayOf(copyBytes)], // bytea[]
  [1005, arrayOf((bytes, from) => bytes.readInt16BE(from))], // int2[]
  [1007, arrayOf((bytes, from) => bytes.readInt32BE(from))], // int4[]
  [1009, arrayOf(readText)], // text[]
  [1016, arrayOf(readInt64)], // int8[]
  [1700, readNumeric], // numeric
  [3802, (bytes, from, to) => JSON.parse(readText(bytes, from + 1, to))], // jsonb, behind its version
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

function readText(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('utf8', from, to);
}

/** A list: dimensions:int32 has_null:int32 type:int32 (length:int32 first:int32)[dimensions] (length:int32 value)[…]. */
function arrayOf(read: ReadValue): ReadValue {
  return (bytes, from) => {
    const dimensions = bytes.readInt32BE(from);
    if (dimensions === 0) return [];
    if (dimensions > 1) throw new Error('An array of several dimensions');
    const values = new Array<unknown>(bytes.readInt32BE(from + 12));
    let at = from + 20;
    for (let i = 0; i < values.length; i++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      values[i] = length < 0 ? null : read(bytes, at, at + length);
      if (length > 0) at += length;
    }
    return values;
  };
}

const NUMERIC_SIGNS: ReadonlyMap<number, string> = new Map([
  [0, ''],
  [0x4000, '-'],
]);
const NUMERIC_WORDS: ReadonlyMap<number, string> = new Map([
  [0xc000, 'NaN'],
  [0xd000, 'Infinity'],
  [0xf000, '-Infinity'],
]);
const GROUP_DIGITS = 4;

/** A number in decimal: groups:int16 weight:int16 sign:uint16 scale:uint16 (four digits:int16)[groups]. */
function readNumeric(bytes: Buffer, from: number): string {
  const groups = bytes.readInt16BE(from);
  const weight = bytes.readInt16BE(from + 2);
  const sign = bytes.readUInt16BE(from + 4);
  const scale = bytes.readUInt16BE(from + 6);
  const word = NUMERIC_WORDS.get(sign);
  if (word !== undefined) return word;
  const group = (at: number): string => {
    const digits = at < 0 || at >= groups ? 0 : bytes.readInt16BE(from + 8 + 2 * at);
    return String(digits).padStart(GROUP_DIGITS, '0');
  };
  let whole = '';
  for (let at = 0; at <= weight; at++) whole += at === 0 ? String(Number(group(at))) : group(at);
  let fraction = '';
  for (let at = weight + 1; fraction.length < scale; at++) fraction += group(at);
  return `${NUMERIC_SIGNS.get(sign)}${whole || '0'}${scale === 0 ? '' : `.${fraction.slice(0, scale)}`}`;
}

function toColumns(fields: readonly FieldDescription[], binary: boolean, text: TextForm): Columns {
  const list = fields.map(({ name, dataTypeID }) => {
    if (binary) return { name, read: BINARY_READERS.get(dataTypeID) ?? refuseType };
    const parse = text.parserOf(dataTypeID);
    return {
      name,
      read: (bytes: Buffer, from: number, to: number) => parse(bytes.toString('utf8', from, to)),
    };
  });
  return { binary, read: (bytes, from) => readRow(list, bytes, from) };
}

/** Of the columns that kept statements have, by their names and types. The statements are few, and connections share them. */
const rowReaders = new Map<string, ReadRow>();
const MAX_ROW_READERS = 500;

function toKeptColumns(fields: readonly FieldDescription[]): Columns {
  const key = JSON.stringify(fields.map(({ name, dataTypeID }) => [name, dataTypeID]));
  let read = rowReaders.get(key);
  if (read === undefined) {
    read = compileReader(fields);
    if (rowReaders.size === MAX_ROW_READERS) rowReaders.clear();
    rowReaders.set(key, read);
  }
  return { binary: true, read };
}

/**
 * Writes a function that reads rows of these columns: their objects have one shape from the beginning, and each column calls
 * its own reader. With a loop over the columns a read of a hundred rows took a few per cent more.
 */
function compileReader(fields: readonly FieldDescription[]): ReadRow {
  const readers = fields.map(({ dataTypeID }) => BINARY_READERS.get(dataTypeID) ?? refuseType);
  const values = fields.map(
    (_, i) => `
      length = bytes.readInt32BE(at);
      at += 4;
      const value${i} = length < 0 ? null : read${i}(bytes, at, at + length);
      if (length > 0) at += length;`,
  );
  // Of columns with the same name the last one counts, as for the driver.
  const members = fields.map(({ name }, i) => `[${JSON.stringify(name)}]: value${i}`);
  const names = fields.map((_, i) => `read${i}`);
  const text = `
    return (bytes, from) => {
      let at = from + 2;
      let length;${values.join('')}
      return { ${members.join(', ')} };
    };`;
  return new Function(...names, text)(...readers);
}

const CODE_BYTES = 1;
const HEADER_BYTES = 5;
const DATA_ROW = 'D'.charCodeAt(0);
const BIND_COMPLETE = '2'.charCodeAt(0);
const COMMAND_COMPLETE = 'C'.charCodeAt(0);

/** What a batch of statements reads itself. */
interface ResultReader {
  /** Reads the row at a place of a message. */
  row(bytes: Buffer, from: number): void;
  /** Ends the result of a statement; the tag says what it did. */
  complete(tag: string): void;
}

/** Messages that a batch reads. It binds what it knows, so nothing is to be done when that is done. */
const READ_HERE: ReadonlySet<number> = new Set([DATA_ROW, BIND_COMPLETE, COMMAND_COMPLETE]);

const BaseConnection = pg.Connection as unknown as new (config: pg.ConnectionConfig) => DriverConnection;

/**
 * A connection that hands the results of a batch to it, and everything else to the driver, which makes an object and an
 * event of every message: three of a batch of four short statements took 20 µs.
 */
export class RowConnection extends BaseConnection {
  /** Undefined while the driver reads results itself. */
  reader: ResultReader | undefined;
  #gathered: Buffer[] | undefined;

  /** Sends the messages that the work sends in one piece: as pieces of one write they took 15 µs more for a short read. */
  sendTogether(work: () => void): void {
    const messages: Buffer[] = [];
    this.#gathered = messages;
    try {
      work();
    } finally {
      this.#gathered = undefined;
      this._send(Buffer.concat(messages));
    }
  }

  override _send(message: Buffer): boolean {
    if (this.#gathered === undefined) return super._send(message);
    this.#gathered.push(message);
    return true;
  }

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
      if (this.reader !== undefined && READ_HERE.has(bytes[at]!)) {
        // What came before may describe the columns.
        if (start < at) rest.emit('data', bytes.subarray(start, at));
        this.#read(bytes, at, end);
        start = end;
      }
      at = end;
    }
    if (start < at) rest.emit('data', bytes.subarray(start, at));
    return at;
  }

  #read(bytes: Buffer, at: number, end: number): void {
    const code = bytes[at];
    if (code === DATA_ROW) this.reader?.row(bytes, at + HEADER_BYTES);
    // The tag ends with a zero.
    else if (code === COMMAND_COMPLETE)
      this.reader?.complete(bytes.toString('latin1', at + HEADER_BYTES, end - 1));
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
    return new QueryBatch(queries, this.#connection, this);
  }

  send(query: PreparedQuery, parsedBefore: Set<string>): void {
    const { name, sql, values } = query;
    const connection = this.#connection;
    const isParsed = name !== '' && connection.parsedStatements[name] !== undefined;
    if (!isParsed && !parsedBefore.has(name)) connection.parse({ text: sql, name });
    if (name !== '') parsedBefore.add(name);
    const columns = isParsed ? this.#columns.get(name) : undefined;
    query.isBinary = columns?.binary ?? (name === '' && binaryTexts.has(sql));
    const { isBinary: binary } = query;
    connection.bind({ statement: name, values, binary, valueMapper: this.#text.write });
    if (columns === undefined) connection.describe({ type: 'P' });
    connection.execute({});
  }

  /** The columns of a statement that was executed before. */
  columnsOf({ name }: PreparedQuery): Columns | undefined {
    return this.#columns.get(name);
  }

  /** The columns of this execution; those of the same text that follow are binary if possible. */
  learn({ name, sql, isBinary }: PreparedQuery, fields: readonly FieldDescription[]): Columns {
    const binary = fields.every(({ dataTypeID }) => BINARY_READERS.has(dataTypeID));
    const columns = toColumns(fields, isBinary, this.#text);
    if (name !== '') this.#columns.set(name, binary ? toKeptColumns(fields) : columns);
    else if (binary && !isBinary) addBinaryText(sql);
    return columns;
  }
}

/** Texts of statements that are not kept whose columns are all read in binary form: lists by filters, mostly. */
const binaryTexts = new Set<string>();
const MAX_BINARY_TEXTS = 500;

function addBinaryText(text: string): void {
  if (binaryTexts.size === MAX_BINARY_TEXTS) binaryTexts.clear();
  binaryTexts.add(text);
}

/** A migration changed the type of a column since the text was run last. */
function refuseType(): never {
  binaryTexts.clear();
  throw new Error('A column has another type than before');
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
  /** Whether its values were asked for in binary form. */
  isBinary = false;
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

  /** Adds the row at a place of a message. */
  add({ read }: Columns, bytes: Buffer, from: number): void {
    try {
      this.#rows.push(read(bytes, from));
    } catch (error) {
      this.fail(error);
    }
  }

  complete(tag: string): void {
    const space = tag.indexOf(' ');
    const command = space < 0 ? tag : tag.slice(0, space);
    const rowCount = space < 0 ? null : Number(tag.slice(tag.lastIndexOf(' ')));
    this.#settle.resolve({ command, rowCount, rows: this.#rows });
  }

  fail(error: unknown): void {
    this.#settle.reject(error);
  }
}

/**
 * Statements that are sent together, so that all of them take one round trip. If one fails, those after it are not executed
 * and fail with the same error.
 */
export class QueryBatch implements ResultReader {
  readonly #queries: readonly PreparedQuery[];
  readonly #connection: RowConnection;
  readonly #statements: PreparedStatements;
  #at = 0;
  /** Of the statement whose result comes next. */
  #columns: Columns | undefined;
  #failure: unknown;
  /** Milliseconds after which the driver gives up; its own limit if undefined. */
  query_timeout: number | undefined;
  /** The driver adds its time limit to it. */
  callback: (error: unknown) => void = () => {};

  constructor(queries: readonly PreparedQuery[], connection: RowConnection, statements: PreparedStatements) {
    this.#queries = queries;
    this.#connection = connection;
    this.#statements = statements;
  }

  /** The driver notes the statement that was just parsed by name and text. */
  get name(): string | undefined {
    return this.#queries[this.#at]?.name;
  }

  get text(): string | undefined {
    return this.#queries[this.#at]?.sql;
  }

  submit(): Error | null {
    const connection = this.#connection;
    const parsed = new Set<string>();
    connection.sendTogether(() => {
      try {
        for (const query of this.#queries) this.#statements.send(query, parsed);
      } catch (error) {
        // A value that cannot be written: the server answers to what was sent, and that must not be taken for results.
        this.#failure = error;
      }
      connection.sync();
    });
    connection.reader = this;
    this.#follow();
    return null;
  }

  /** Turns to the next statement. */
  #follow(): void {
    const query = this.#queries[this.#at];
    this.#columns = query && this.#statements.columnsOf(query);
  }

  row(bytes: Buffer, from: number): void {
    if (this.#columns !== undefined) this.#queries[this.#at]?.add(this.#columns, bytes, from);
  }

  complete(tag: string): void {
    this.#queries[this.#at]?.complete(tag);
    this.#at += 1;
    this.#follow();
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDescription[] }): void {
    const query = this.#queries[this.#at];
    this.#columns = query && this.#statements.learn(query, fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.complete(text);
  }

  handleError(error: unknown): void {
    this.#connection.reader = undefined;
    for (const query of this.#queries.slice(this.#at)) query.fail(error);
    this.callback(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure !== undefined) {
      this.handleError(this.#failure);
      return;
    }
    this.#connection.reader = undefined;
    this.callback(null);
  }

  handleEmptyQuery(): void {
    this.complete('');
  }
}
