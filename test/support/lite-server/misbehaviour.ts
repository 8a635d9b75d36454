/** What a test makes a lite server do instead of answering as it should. */
export type Misbehaviour =
  /** Answers late. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Never answers, but is there: pings get their pongs. */
  | { readonly kind: 'silent' }
  /** Reads nothing any more, as a machine that hangs; it reads on when it is told to do something else. */
  | { readonly kind: 'hung' }
  /** Ends the connection in the middle of the answer. */
  | { readonly kind: 'cut' }
  /** Changes the last bit of the packet with the answer. */
  | { readonly kind: 'wrong-checksum' }
  /** Sends bytes that are no packet. */
  | { readonly kind: 'garbage' }
  /** Says that the answer is the largest packet there can be, so that all that follows seems a part of it. */
  | { readonly kind: 'endless' }
  /** Sends packets that nobody asked for, then the answer. */
  | { readonly kind: 'flood'; readonly packets: number }
  /** Ends a new connection without an answer to its handshake; connections that are open go on. */
  | { readonly kind: 'refuse-handshake' }
  /** Answers with liteServer.error. */
  | { readonly kind: 'error'; readonly code: number; readonly text: string };

/** Always the same, or chosen for each request. */
export type Script = Misbehaviour | ((request: Buffer) => Misbehaviour | undefined);
