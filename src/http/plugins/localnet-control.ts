import { isIP } from 'node:net';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { Failure } from '../../lib/errors.ts';
import { statusOf } from '../errors.ts';
import { sendJson } from '../json-reply.ts';

/** Commands to the local chain; results go out as JSON. */
export interface LocalnetControl {
  status(): unknown;
  /** `amount` is in TON. */
  fund(address: string, amount: string): Promise<unknown>;
  advance(seconds: number): Promise<unknown>;
  snapshot(name: string): Promise<unknown>;
  restore(name: string): Promise<unknown>;
  mine(count: number): Promise<unknown>;
  /** Changes the validator set. */
  rotate(): Promise<unknown>;
}

/** Who may give commands: callers on this machine, or everybody. */
export type ControlAccess = 'loopback' | 'all';

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip'];

/** The commands to the local chain as routes: free of keys and limits, but for callers on this machine alone. */
export function createLocalnetRoutes(control: LocalnetControl, access: ControlAccess): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', async (request) => {
      if (access === 'loopback' && !isFromHere(request))
        throw new Failure(
          'network_not_allowed',
          'the local chain takes commands from this machine alone; LOCALNET_CONTROL=all lets others in',
        );
    });
    app.setErrorHandler((error, request, reply) => {
      const { status, text, unexpected } = statusOf(error);
      if (unexpected) request.log.error({ err: error }, 'unexpected error');
      return sendJson(reply.code(status), JSON.stringify({ ok: false, error: text, code: status }));
    });
    addRoute(app, 'GET', 'status', async () => control.status());
    addRoute(app, 'POST', 'fund', (body) => {
      const { amount } = body;
      // A number is fine where it is exact; others come as text.
      return control.fund(
        text(body, 'address'),
        typeof amount === 'number' ? String(amount) : text(body, 'amount'),
      );
    });
    addRoute(app, 'POST', 'advance', (body) => control.advance(number(body, 'seconds')));
    addRoute(app, 'POST', 'snapshot', (body) => control.snapshot(text(body, 'name')));
    addRoute(app, 'POST', 'restore', (body) => control.restore(text(body, 'name')));
    addRoute(app, 'POST', 'rotate', () => control.rotate());
    addRoute(app, 'POST', 'mine', (body) =>
      control.mine(body.count === undefined ? 1 : number(body, 'count')),
    );
  };
}

type Body = Readonly<Record<string, unknown>>;

function addRoute(
  app: FastifyInstance,
  method: 'GET' | 'POST',
  name: string,
  run: (body: Body) => Promise<unknown>,
): void {
  const config = { gated: false, interface: 'localnet', operation: name };
  app.route({
    method,
    url: `/${name}`,
    config,
    handler: async ({ body }, reply) => {
      const result = await run(isObject(body) ? body : {});
      return sendJson(reply, JSON.stringify({ ok: true, result }));
    },
  });
}

/**
 * Whether a request was made on this machine, and not by a page of another site in a browser on it, nor through a proxy
 * on it.
 */
function isFromHere({ ip, headers }: FastifyRequest): boolean {
  if (!isLoopback(ip) || FORWARDED.some((name) => headers[name] !== undefined)) return false;
  const named = [`http://${headers.host ?? 'localhost'}`, headers.origin ?? 'http://localhost'];
  return named.every((url) => URL.canParse(url) && isLoopback(new URL(url).hostname));
}

function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').replace(/^::ffff:/, '');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

function isObject(body: unknown): body is Body {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function text(body: Body, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new Failure('bad_request', `${name} is missing or not a string`);
  return value;
}

function number(body: Body, name: string): number {
  const value = body[name];
  if (typeof value !== 'number') throw new Failure('bad_request', `${name} is missing or not a number`);
  return value;
}
