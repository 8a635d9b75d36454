import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import { Failure } from '../lib/errors.ts';
import { RateGate } from '../lib/rate-gate.ts';
import { rawResponse } from './errors.ts';

/** Connections that keep the server busy, and the addresses that they come from. */
interface Floods {
  /** Closes a connection for it, and remembers its address for a while. */
  add(socket: Socket): void;
  /** Closes a connection whose further requests would only be refused. */
  close(socket: Socket): void;
  /** Whether a connection is being closed. */
  has(socket: Socket): boolean;
  hasAddress(address: string | undefined): boolean;
}

/** A connection is closed after this time: whoever is closed at once comes back at once. */
const CLOSE_AFTER_MS = 1000;
const BLOCKED_MS = 10_000;
const MAX_BLOCKED = 10_000;
/** What Node takes for a request that leads to another protocol, behind which it parses no further. */
const UPGRADE = 2;

/** What Node's server calls for every request that it has parsed. */
interface Parsed {
  readonly parser?: { onIncoming?: () => number } | null;
}

export function createFloods(onFlood: () => void): Floods {
  const closing = new WeakSet<Socket>();
  /** When an address flooded the server; the oldest first. */
  const blockedSince = new Map<string, number>();

  function close(socket: Socket & Parsed): void {
    if (closing.has(socket)) return;
    closing.add(socket);
    // The thousands of requests that the same read may have brought are not even begun.
    if (socket.parser) socket.parser.onIncoming = () => UPGRADE;
    // Node would read on whenever a request is complete or a response is finished, one tick later.
    socket.resume = () => socket;
    process.nextTick(() => socket.emit('pause'));
    setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
  }

  function block(address: string): void {
    blockedSince.delete(address);
    blockedSince.set(address, performance.now());
    const [oldest] = blockedSince.keys();
    if (blockedSince.size > MAX_BLOCKED) blockedSince.delete(oldest!);
  }

  return {
    close,
    add(socket) {
      if (closing.has(socket)) return;
      onFlood();
      if (socket.remoteAddress !== undefined) block(socket.remoteAddress);
      close(socket);
    },
    has: (socket) => closing.has(socket),
    hasAddress(address) {
      if (address === undefined) return false;
      const since = blockedSince.get(address);
      if (since === undefined) return false;
      if (performance.now() - since < BLOCKED_MS) return true;
      blockedSince.delete(address);
      return false;
    },
  };
}

/** A piece of this size is worth the 2 µs that it takes, or 1.5 µs if nobody reads it. */
const SMALL_PIECE_BYTES = 256;
/** Small pieces of a request that do not count: others have the whole body in one. */
const FREE_PIECES = 16;
/** Further ones that a connection may send per second, and at once. A slow client sends a few hundred. */
const PIECES_PER_SECOND = 1000;
/** The same for all connections of an address, each of which may have fewer. */
const PIECES_PER_ADDRESS = 10_000;
const MAX_ADDRESSES = 10_000;
/** What is read of a body after the response, so that the connection can be used again. */
const MAX_UNWANTED_BYTES = 1024 * 1024;
/** The same for all bodies of an address per second, which may be that of four seconds at once: to read on costs more than to refuse. */
const UNWANTED_BYTES_PER_SECOND = 1024 * 1024;
const UNWANTED_BURST_SECONDS = 4;
/** How Node drops bodies that nobody read, when their response is finished. */
type Dumped = IncomingMessage & { _dump?: () => void; _dumped?: boolean };

interface RequestBodyOptions {
  readonly floods: Floods;
  /** Whether the connections of an address are those of one caller; not behind a proxy. */
  readonly perAddress: boolean;
}

const FLOOD_TEXT = 'Request body comes in too many small pieces';

/**
 * Bounds what bodies cost beside their size. Node calls for every chunk of a body, ten thousand times for one read of
 * chunks of one byte, also when the request was refused and nobody wants its body; and it reads what nobody wants to
 * the end.
 */
export const requestBodies = fp(async (app, { floods, perAddress }: RequestBodyOptions) => {
  const ofConnections = new WeakMap<Socket, Gates>();
  /** The oldest first. */
  const ofAddresses = new Map<string, Gates>();

  function gatesOf(socket: Socket): Gates {
    let gates = ofConnections.get(socket);
    if (gates === undefined) {
      gates = createGates(PIECES_PER_SECOND);
      ofConnections.set(socket, gates);
    }
    return gates;
  }

  function gatesOfAddress(address = ''): Gates {
    let gates = ofAddresses.get(address);
    if (gates === undefined) {
      gates = createGates(PIECES_PER_ADDRESS);
      ofAddresses.set(address, gates);
      const [oldest] = ofAddresses.keys();
      if (ofAddresses.size > MAX_ADDRESSES) ofAddresses.delete(oldest!);
    }
    return gates;
  }

  function mayGoOn(socket: Socket): boolean {
    const passes = gatesOf(socket).pieces.pass();
    return passes && (!perAddress || gatesOfAddress(socket.remoteAddress).pieces.pass());
  }

  function mayDrop(socket: Socket, bytes: number): boolean {
    const { unwanted } = perAddress ? gatesOfAddress(socket.remoteAddress) : gatesOf(socket);
    return unwanted.pass(bytes);
  }

  app.server.on('request', (request) => {
    if (hasBody(request)) watch(request);
  });

  function watch(request: Dumped): void {
    const { socket } = request;
    const push = request.push.bind(request);
    let smallPieces = 0;
    let isUnwanted = false;
    let unwantedBytes = 0;

    request.push = (chunk: Buffer | null) => {
      if (chunk === null) return push(null);
      if (chunk.length < SMALL_PIECE_BYTES) {
        smallPieces += 1;
        if (smallPieces > FREE_PIECES && !mayGoOn(socket)) {
          endFlood(request);
          return false;
        }
      }
      if (!isUnwanted) return push(chunk);
      unwantedBytes += chunk.length;
      if (unwantedBytes > MAX_UNWANTED_BYTES) socket.destroy();
      else if (!mayDrop(socket, chunk.length)) floods.close(socket);
      return true;
    };
    // Node's own drops further pieces before they are counted.
    request._dump = () => {
      isUnwanted = true;
      request.removeAllListeners('data');
      request.resume();
    };
  }

  function endFlood(request: Dumped): void {
    floods.add(request.socket);
    // The rest of what was read is parsed, but dropped before it gets here.
    request._dumped = true;
    setImmediate(() => {
      // Whoever reads the body responds in the envelope of the interface.
      if (request.listenerCount('error') > 0) request.emit('error', new Failure('bad_request', FLOOD_TEXT));
    });
  }
});

/** What a connection or an address may send of bodies. */
interface Gates {
  readonly pieces: RateGate;
  /** In bytes. */
  readonly unwanted: RateGate;
}

function createGates(piecesPerSecond: number): Gates {
  return {
    pieces: new RateGate(piecesPerSecond, 1),
    unwanted: new RateGate(UNWANTED_BYTES_PER_SECOND, UNWANTED_BURST_SECONDS),
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

interface PipeliningOptions {
  readonly floods: Floods;
}

interface Line {
  /** The response that is being made. */
  active: ServerResponse;
  readonly waiting: [request: IncomingMessage, response: ServerResponse][];
}

/** Nobody sends more requests without waiting for a response, except to keep the server busy. */
const MAX_WAITING = 256;
const RATE_LIMITED = 429;

/**
 * The requests of a connection are handled one after the other, and other connections have their turn in between. Node
 * itself calls the handler at once for all requests that came in one piece, which may be thousands.
 */
export const pipelining = fp(async ({ server }, { floods }: PipeliningOptions) => {
  const handle = server.listeners('request')[0] as RequestListener;
  const lines = new WeakMap<Socket, Line>();

  function next(line: Line): void {
    const first = line.waiting.shift();
    if (first === undefined) return;
    const [request, response] = first;
    // The others would be refused too.
    if (line.active.statusCode === RATE_LIMITED) {
      line.waiting.length = 0;
      floods.close(request.socket);
      return;
    }
    line.active = response;
    if (line.waiting.length > 0) continueAfter(line);
    if (!request.socket.destroyed) handle(request, response);
  }

  function continueAfter(line: Line): void {
    line.active.once('close', () => setImmediate(next, line));
  }

  // Node itself would answer 417, past all limits.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.off('request', handle);
  server.on('request', (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) lines.set(socket, { active: response, waiting: [] });
    else if (floods.has(socket)) return;
    else if (line.waiting.length === MAX_WAITING) {
      line.waiting.length = 0;
      floods.add(socket);
      return;
    } else if (line.waiting.length > 0 || !line.active.closed) {
      line.waiting.push([request, response]);
      if (line.waiting.length === 1) continueAfter(line);
      return;
    } else line.active = response;
    handle(request, response);
  });
});

interface ConnectionLimitOptions {
  /** How many connections there may be. */
  readonly connections: number;
  /** Whether one address may have a quarter of them at most; not behind a proxy, whose address all have. */
  readonly perAddress: boolean;
  readonly onRefused: () => void;
  readonly floods: Floods;
}

const REFUSAL = rawResponse(503, 'Service Unavailable', 'Too many connections', 'Retry-After: 1\r\n');
const FLOODED = rawResponse(
  429,
  'Too Many Requests',
  'This address flooded the server',
  'Retry-After: 10\r\n',
);
/** From this share on, room is made: connections that sent nothing yet are closed, or else those that are idle. */
const CROWDED = 0.9;
const SWEEP_EVERY_MS = 1000;
/** A connection may send nothing for this long before it is closed to make room: its first bytes are on their way. */
const SILENT_MS = 500;

/**
 * Bounds the number of connections, in all and by address, so that callers cannot use up the file descriptors of the
 * process, which its database, its lite servers and its files need too.
 */
export const connectionLimits = fp(async (app, options: ConnectionLimitOptions) => {
  const { connections, perAddress, onRefused, floods } = options;
  const maxPerAddress = perAddress ? Math.max(1, Math.floor(connections / 4)) : connections;
  const byAddress = new Map<string, number>();
  /** All connections with their addresses. */
  const open = new Map<Socket, string>();
  /** Connections that may have sent nothing yet, with the time they were opened; the oldest first. */
  const silent = new Map<Socket, number>();
  let sweptAt = 0;

  /** Counts a connection; returns how many its address has. */
  function enter(socket: Socket): number {
    const address = socket.remoteAddress ?? '';
    const own = (byAddress.get(address) ?? 0) + 1;
    byAddress.set(address, own);
    open.set(socket, address);
    return own;
  }

  function leave(socket: Socket): void {
    const address = open.get(socket);
    if (address === undefined) return;
    open.delete(socket);
    silent.delete(socket);
    const own = byAddress.get(address)! - 1;
    if (own === 0) byAddress.delete(address);
    else byAddress.set(address, own);
  }

  /** Closes the oldest connection that sent nothing yet, unless it is new; returns whether there is one. */
  function closeSilent(): boolean {
    for (const [socket, openedAt] of silent) {
      if (socket.bytesRead > 0) {
        silent.delete(socket);
        continue;
      }
      if (performance.now() - openedAt >= SILENT_MS) {
        leave(socket);
        socket.destroy();
      }
      return true;
    }
    return false;
  }

  function closeIdle(): void {
    const time = performance.now();
    if (time - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = time;
    app.server.closeIdleConnections();
  }

  function refuse(socket: Socket, response: string): void {
    onRefused();
    socket.end(response);
    socket.destroySoon();
  }

  app.server.on('connection', (socket: Socket) => {
    if (perAddress && floods.hasAddress(socket.remoteAddress)) return refuse(socket, FLOODED);
    const own = enter(socket);
    socket.once('close', () => leave(socket));
    if (open.size > connections * CROWDED) {
      const hasSilent = closeSilent();
      if (!hasSilent || open.size > connections) closeIdle();
    }
    if (open.size <= connections && own <= maxPerAddress) {
      silent.set(socket, performance.now());
      return;
    }
    refuse(socket, REFUSAL);
  });
});

/** Descriptors that are left to everything but callers and requests to webhooks. */
const RESERVED = 128;
const MAX_CONNECTIONS = 20_000;
/** Where the limit of the process is unknown. */
const USUAL_DESCRIPTORS = 1024;

/**
 * How many connections callers may have: as many as wanted, but never more than there are file descriptors for besides
 * those of requests that this process may have under way itself.
 */
export function affordableConnections(wanted = MAX_CONNECTIONS, outgoing = 0): number {
  const free = descriptorLimit();
  return Math.min(wanted, Math.max(Math.floor(free / 2), free - RESERVED - outgoing));
}

function descriptorLimit(): number {
  try {
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft ?? USUAL_DESCRIPTORS);
  } catch {
    return USUAL_DESCRIPTORS;
  }
}

interface UnfinishedOptions {
  /** Bytes that all requests may hold together before they are complete. */
  readonly maxBytes: number;
  readonly onRefused: () => void;
}

interface Connection {
  /** Its newest request whose head is complete. */
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** Bytes read when that head was complete. */
  readBytes: number;
  /** Bytes from here on may be held. */
  heldFrom: number;
}

const SWEEP_MS = 200;
/** A request of this size is none that is worth cutting. */
const SMALL_BYTES = 16 * 1024;
/** Node reads so much at a time: a head ends in such a piece, and the next one may begin in it. */
const READ_BYTES = 64 * 1024;
/** A head and the largest body, the addresses of a webhook; fewer connections than this many of them fit cannot hold too much. */
const MAX_REQUEST_BYTES = (16 * 1024 + 128) * 1024;
const UNFINISHED_TEXT = 'Too many unfinished requests';
const UNFINISHED = rawResponse(503, 'Service Unavailable', UNFINISHED_TEXT, 'Retry-After: 1\r\n');

/**
 * Bounds what heads and bodies that are not complete hold together. Node keeps heads without telling anybody, so
 * connections are looked at several times per second; while there is too much, the largest unfinished requests get 503.
 */
export const unfinishedRequests = fp(async (app, { maxBytes, onRefused }: UnfinishedOptions) => {
  const connections = new Map<Socket, Connection>();

  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, { request: undefined, response: undefined, readBytes: 0, heldFrom: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    const { bytesRead } = request.socket;
    const isSmall = bytesRead - connection.readBytes < SMALL_BYTES;
    connection.heldFrom = isSmall ? bytesRead : Math.max(connection.readBytes, bytesRead - READ_BYTES);
    connection.readBytes = bytesRead;
    connection.request = request;
    connection.response = response;
  });

  // A socket that was upgraded has no requests any more. Without other listeners Node refuses upgrades, and so it should.
  app.addHook('onReady', async () => {
    if (app.server.listenerCount('upgrade') > 0)
      app.server.on('upgrade', ({ socket }) => connections.delete(socket));
  });

  function sweep(): void {
    if (connections.size * MAX_REQUEST_BYTES <= maxBytes) return;
    let total = 0;
    const large: { socket: Socket; connection: Connection; bytes: number }[] = [];
    for (const [socket, connection] of connections) {
      const bytes = heldBytes(socket, connection);
      total += bytes;
      if (bytes >= SMALL_BYTES) large.push({ socket, connection, bytes });
    }
    if (total <= maxBytes) return;
    large.sort((a, b) => b.bytes - a.bytes);
    for (const { socket, connection, bytes } of large) {
      if (total <= maxBytes) break;
      total -= bytes;
      onRefused();
      refuse(socket, connection);
    }
  }

  const timer = setInterval(sweep, SWEEP_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
});

/** Bytes of the request that a connection is receiving; a complete one is at work and does not count. */
function heldBytes(socket: Socket, connection: Connection): number {
  const { request, response } = connection;
  if (request?.complete === true) {
    if (response!.writableFinished === false && !response!.destroyed) return 0;
    // The bytes after its end may be the start of the next request.
    connection.heldFrom = Math.max(connection.heldFrom, socket.bytesRead - READ_BYTES);
    connection.request = undefined;
    connection.response = undefined;
  }
  return socket.bytesRead - connection.heldFrom;
}

function refuse(socket: Socket, { request }: Connection): void {
  if (request === undefined) {
    socket.end(UNFINISHED);
    socket.destroySoon();
    // Whoever reads the body responds in the envelope of the interface.
  } else if (request.listenerCount('error') > 0) {
    request.emit('error', new Failure('overloaded', UNFINISHED_TEXT, { retryAfterSeconds: 1 }));
  } else {
    socket.destroy();
  }
}
