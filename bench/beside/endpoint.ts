import { cpuWithChildren } from '../streaming/processes.ts';

/** A server under measurement. */
export interface Endpoint {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The answer to a GET; rejects if it is refused by a rate limit. */
  readonly ask: (path: string) => Promise<Answer>;
  /** Seconds of processor time that its processes have used; undefined if they are not given. */
  readonly cpuSeconds: () => number | undefined;
}

export interface Answer {
  readonly status: number;
  /** undefined if it is no JSON. */
  readonly json: unknown;
}

interface EndpointOptions {
  readonly name: string;
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly pids: readonly number[];
}

export function createEndpoint({ name, url, apiKey, pids }: EndpointOptions): Endpoint {
  const base = new URL(url).href.replace(/\/$/, '');
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  return {
    name,
    url: base,
    headers,
    async ask(path) {
      const response = await fetch(base + path, { headers });
      if (response.status === 429)
        throw new Error(`${name} refuses requests by its rate limit: ${refusalHint(name)}`);
      const text = await response.text();
      return { status: response.status, json: parsed(text) };
    },
    cpuSeconds: () =>
      pids.length === 0 ? undefined : pids.reduce((sum, pid) => sum + cpuWithChildren(pid), 0),
  };
}

/** What helps against a rate limit. */
export function refusalHint(name: string): string {
  return `give a key without limits with --key-${name.toLowerCase()}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
