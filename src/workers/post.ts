/** What a process of a server does: it serves requests, or runs the local chain and the indexer. */
export interface Post {
  readonly kind: 'worker' | 'chain';
  /** From 1; a process that replaces another one has its number. */
  readonly number: number;
}

/** What a process is told when it begins. */
export interface Greeting {
  readonly post: Post;
  readonly command: 'start' | 'serve';
  /** How many workers there are. */
  readonly workers: number;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Signs the tokens of pages, base64. */
  readonly pageSecret: string;
  /** Whether another process runs the local chain and the indexer. */
  readonly hasChainProcess: boolean;
}

/** What a process tells when it is up; only the chain process and the first worker have something to tell. */
export type Started = Readonly<Record<string, unknown>>;

/** Behind standard input, output, error and Node's own channel, on which connections come. */
export const CHANNEL_FD = 4;
