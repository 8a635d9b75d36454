import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';

/** A bag that the daemon can be asked for. */
export interface OfferedBag {
  /** Files that it consists of, each under the last part of its name. */
  readonly files: readonly string[];
  /** `never`: not even its header comes; `stops`: the last file does not come. */
  readonly fault?: 'never' | 'stops';
}

interface HeldBag {
  readonly folder: string;
  isAll: boolean;
  /** Each look at it brings it forward: first the header, then file by file. */
  looks: number;
  hasHeader: boolean;
  readonly written: Set<string>;
}

/** What the daemon was asked for, but for looks. */
export interface DaemonCall {
  readonly call: 'add' | 'download' | 'remove';
  readonly bag: string;
}

const HEADER_LOOKS = 2;

/**
 * A storage daemon with the HTTP API of tonutils-storage, as far as it is used. Bags come by looking at them, so that tests
 * depend on no time.
 */
export async function startStorageDaemon(bags: ReadonlyMap<string, OfferedBag>) {
  const held = new Map<string, HeldBag>();
  const calls: DaemonCall[] = [];
  const copies = new Map<string, number>();
  let bytes = 0;
  let mostBytes = 0;
  let mostBags = 0;
  let server: Server | undefined;
  let port = 0;
  let onLook: ((bag: string) => void) | undefined;

  const sizeOf = (bag: string): number =>
    bags.get(bag)!.files.reduce((sum, file) => sum + statSync(file).size, 0);
  const targetOf = (folder: string, file: string): string => join(folder, 'dump', 'arch', basename(file));

  function comeForward(bag: string, one: HeldBag): void {
    const { files, fault } = bags.get(bag)!;
    one.looks++;
    if (fault === 'never' || one.looks < HEADER_LOOKS) return;
    one.hasHeader = true;
    if (!one.isAll) return;
    const next = files.slice(0, fault === 'stops' ? -1 : undefined).find((file) => !one.written.has(file));
    if (next === undefined) return;
    const target = targetOf(one.folder, next);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(next, target);
    one.written.add(next);
    copies.set(bag, (copies.get(bag) ?? 0) + 1);
    bytes += statSync(next).size;
    mostBytes = Math.max(mostBytes, bytes);
  }

  function details(bag: string, one: HeldBag) {
    comeForward(bag, one);
    const { files } = bags.get(bag)!;
    const downloaded = [...one.written].reduce((sum, file) => sum + statSync(file).size, 0);
    const isHere = files.every((file) => one.written.has(file));
    return {
      bag_id: bag,
      header_loaded: one.hasHeader,
      // Nothing else was wanted.
      completed: one.hasHeader && (isHere || !one.isAll),
      size: one.hasHeader ? sizeOf(bag) : 0,
      downloaded: one.hasHeader ? downloaded : 0,
      download_speed: 1000,
      download_all: one.isAll,
      files: one.hasHeader
        ? files.map((file, index) => ({ index, name: basename(file), size: statSync(file).size }))
        : [],
    };
  }

  function add({ bag_id: bag, path, download_all: isAll }: AddBody): void {
    calls.push({ call: isAll ? 'download' : 'add', bag });
    const known = held.get(bag);
    if (known !== undefined) known.isAll = isAll;
    else held.set(bag, { folder: join(path, bag), isAll, looks: 0, hasHeader: false, written: new Set() });
    mostBags = Math.max(mostBags, held.size);
  }

  /** Returns false if a file is not there: then it keeps the bag. */
  function remove(bag: string, one: HeldBag, withFiles: boolean): boolean {
    calls.push({ call: 'remove', bag });
    if (withFiles) {
      const isMissing = bags.get(bag)!.files.some((file) => !existsSync(targetOf(one.folder, file)));
      for (const file of one.written) {
        rmSync(targetOf(one.folder, file), { force: true });
        bytes -= statSync(file).size;
      }
      one.written.clear();
      if (one.hasHeader && isMissing) return false;
    }
    held.delete(bag);
    return true;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://daemon');
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (url.pathname === '/api/v1/details') {
      const bag = url.searchParams.get('bag_id')!;
      onLook?.(bag);
      const one = held.get(bag);
      return one === undefined ? send(404, { ok: false }) : send(200, details(bag, one));
    }
    const body = (await json(request)) as AddBody & { readonly with_files: boolean };
    if (!bags.has(body.bag_id)) return send(400, { error: 'Invalid bag id' });
    if (url.pathname === '/api/v1/add') {
      add(body);
      return send(200, { ok: true });
    }
    const one = held.get(body.bag_id);
    if (url.pathname !== '/api/v1/remove' || one === undefined) return send(404, { ok: false });
    return remove(body.bag_id, one, body.with_files)
      ? send(200, { ok: true })
      : send(500, { error: 'no such file' });
  }

  async function start(): Promise<void> {
    server = createServer((request, response) => {
      answer(request, response).catch((error: Error) => response.destroy(error));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  }

  async function stop(): Promise<void> {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  }

  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** Bags that it has now. */
    held: (): string[] => [...held.keys()],
    /** How many files of a bag it has loaded. */
    copiesOf: (bag: string): number => copies.get(bag) ?? 0,
    mostBytes: (): number => mostBytes,
    mostBags: (): number => mostBags,
    sizeOf,
    /** Called before each look at a bag. */
    onLook(listener: ((bag: string) => void) | undefined): void {
      onLook = listener;
    },
    /** Forgets a bag and deletes its files, as if somebody else had it removed. */
    lose(bag: string): void {
      const one = held.get(bag);
      if (one !== undefined) remove(bag, one, true);
      held.delete(bag);
    },
    start,
    stop,
  };
}

interface AddBody {
  readonly bag_id: string;
  readonly path: string;
  readonly download_all: boolean;
}
