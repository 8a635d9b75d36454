import type { HashKey } from '../lib/bytes-key.ts';
import type { AddressInfo } from './address-info.ts';
import type { Lane, Place } from './cursor.ts';
import type { EventType, Finality, Subscription } from './subscription.ts';

/** Something that happened. Subscribers are found by its accounts or its trace; what each of them sees is a text. */
export interface StreamEvent {
  readonly type: EventType;
  readonly finality: Finality;
  /** Where it stands, and the mark of its block; undefined for what is not in the index, which cannot be replayed. */
  readonly at: { readonly lane: Lane; readonly place: Place; readonly mark: string } | undefined;
  /** Accounts by which subscribers are found. */
  readonly accounts: readonly HashKey[];
  /** The trace by which subscribers are found; undefined for events of accounts. */
  readonly traceSought: HashKey | undefined;
  /** The trace that it shows; undefined for states. */
  readonly traceKey: HashKey | undefined;
  /** A newer event with the same key replaces this one in a crowded queue. */
  readonly subject: string;
  /**
   * The text for a subscriber, without the opening `{"type":…`; undefined if nothing is left for it. Texts are shared:
   * subscribers with the same view get the same string.
   */
  textFor(subscription: Subscription): string | undefined;
}

export interface TransactionItem {
  /** Its account. */
  readonly key: HashKey;
  readonly json: string;
  /** For the address book. */
  readonly accounts: readonly Buffer[];
  /** Of the body of its in message. */
  readonly bodyHash: () => HashKey | undefined;
}

export interface ActionItem {
  readonly type: string;
  readonly ancestors: readonly string[];
  /** The accounts that take part. */
  readonly keys: readonly HashKey[];
  readonly json: string;
  /** For the address book: those and all others that it mentions. */
  readonly accounts: readonly Buffer[];
}

/** Members of an event besides its content. */
export interface EventHead {
  readonly finality: Finality;
  readonly at: StreamEvent['at'];
  readonly info: AddressInfo;
}

export interface TraceName {
  readonly key: HashKey;
  /** In base64, as events show it. */
  readonly text: string;
  /** Whether no external message started it. */
  readonly isSystem: boolean;
}

/** Texts by what a subscriber sees: each is made once. */
class SharedTexts {
  readonly #texts = new Map<string, string>();

  once(view: string, make: () => string): string {
    let text = this.#texts.get(view);
    if (text === undefined) {
      text = make();
      this.#texts.set(view, text);
    }
    return text;
  }
}

function infoView({ includeAddressBook, includeMetadata }: Subscription): string {
  return `${includeAddressBook ? 'b' : ''}${includeMetadata ? 'm' : ''}`;
}

/** The members with the address book and the metadata, as far as a subscriber wants them. */
function infoMembers(
  { includeAddressBook, includeMetadata }: Subscription,
  info: AddressInfo,
  accounts: () => readonly Buffer[],
  metadataOf = accounts,
): string {
  const book = includeAddressBook ? `,"address_book":${info.bookOf(accounts())}` : '';
  return includeMetadata ? `${book},"metadata":${info.metadataOf(metadataOf())}` : book;
}

/** The items that an event lists of a trace, and who sees them. */
interface TraceList<T> {
  readonly type: 'transactions' | 'actions';
  readonly items: readonly T[];
  readonly keysOf: (item: T) => readonly HashKey[];
  readonly isSeen: (item: T, subscription: Subscription) => boolean;
}

function listEvent<T extends Pick<TransactionItem, 'json' | 'accounts'>>(
  { finality, at, info }: EventHead,
  trace: TraceName,
  { type, items, keysOf, isSeen }: TraceList<T>,
): StreamEvent {
  const texts = new SharedTexts();
  return {
    type,
    finality,
    at,
    accounts: [...new Set(items.flatMap(keysOf))],
    traceSought: undefined,
    traceKey: trace.key,
    subject: `${type} ${trace.key}`,
    textFor(subscription) {
      // Traces that no external message started are only for those who want them.
      if (trace.isSystem && !subscription.includeSystemTraces) return undefined;
      const seen = items.flatMap((item, i) => (isSeen(item, subscription) ? [i] : []));
      if (seen.length === 0) return undefined;
      return texts.once(`${seen.join()} ${infoView(subscription)}`, () => {
        const shown = seen.map((i) => items[i]!);
        const list = shown.map(({ json }) => json).join();
        const infos = infoMembers(subscription, info, () => shown.flatMap(({ accounts }) => accounts));
        return `,"finality":"${finality}","trace_external_hash_norm":"${trace.text}","${type}":[${list}]${infos}}`;
      });
    },
  };
}

/** The transactions of a trace; `items` by descending logical time. */
export function transactionsEvent(
  head: EventHead,
  trace: TraceName,
  items: readonly TransactionItem[],
): StreamEvent {
  return listEvent(head, trace, {
    type: 'transactions',
    items,
    keysOf: ({ key }) => [key],
    isSeen: (item, { addresses, bodyHash }) =>
      addresses.has(item.key) && (bodyHash === undefined || item.bodyHash() === bodyHash),
  });
}

/** Whether an action is of a type that a subscriber understands and wants. */
function isVisible({ supportedTypes, actionTypes }: Subscription, { type, ancestors }: ActionItem): boolean {
  if (actionTypes.size > 0 && !actionTypes.has(type)) return false;
  return supportedTypes.has(type) && !ancestors.some((ancestor) => supportedTypes.has(ancestor));
}

/** The actions of a trace; `items` by descending end. */
export function actionsEvent(head: EventHead, trace: TraceName, items: readonly ActionItem[]): StreamEvent {
  return listEvent(head, trace, {
    type: 'actions',
    items,
    keysOf: ({ keys }) => keys,
    isSeen: (item, subscription) =>
      item.keys.some((key) => subscription.addresses.has(key)) && isVisible(subscription, item),
  });
}

/** The text of an event that tells a client that no action of a trace is left. */
export function noActionsText(finality: Finality, traceText: string, subscription: Subscription): string {
  const book = subscription.includeAddressBook ? ',"address_book":{}' : '';
  const metadata = subscription.includeMetadata ? ',"metadata":{}' : '';
  return `,"finality":"${finality}","trace_external_hash_norm":"${traceText}","actions":[]${book}${metadata}}`;
}

/** A whole trace, with its tree as JSON; `transactions` in the order of the index, `actions` in that of their start. */
export function traceEvent(
  { finality, at, info }: EventHead,
  trace: TraceName,
  content: {
    readonly tree: string;
    /** By their hashes in base64. */
    readonly transactions: ReadonlyMap<string, TransactionItem>;
    readonly actions: readonly ActionItem[];
  },
): StreamEvent {
  const texts = new SharedTexts();
  return {
    type: 'trace',
    finality,
    at,
    accounts: [],
    traceSought: trace.key,
    traceKey: trace.key,
    subject: `trace ${trace.key}`,
    textFor(subscription) {
      const { supportedKey, actionTypes } = subscription;
      const view = `${supportedKey} ${[...actionTypes].sort().join()} ${infoView(subscription)}`;
      return texts.once(view, () => {
        const { tree, transactions } = content;
        const actions = content.actions.filter((item) => isVisible(subscription, item));
        const map = [...transactions].map(([hash, { json }]) => `"${hash}":${json}`).join();
        const list = actions.length === 0 ? '' : `,"actions":[${actions.map(({ json }) => json).join()}]`;
        const infos = infoMembers(subscription, info, () =>
          [...transactions.values(), ...actions].flatMap(({ accounts }) => accounts),
        );
        return `,"finality":"${finality}","trace_external_hash_norm":"${trace.text}","trace":${tree},"transactions":{${map}}${list}${infos}}`;
      });
    },
  };
}

export function stateEvent(
  { finality, at }: Omit<EventHead, 'info'>,
  state: {
    readonly key: HashKey;
    /** The members `account` and `state` as JSON, without braces. */
    readonly members: string;
    /** More members for those who want them, with a leading comma. */
    readonly extended: string;
  },
): StreamEvent {
  const text = `,"finality":"${finality}",${state.members}`;
  const [plain, extended] = [`${text}}`, `${text}${state.extended}}`];
  return {
    type: 'account_state_change',
    finality,
    at,
    accounts: [state.key],
    traceSought: undefined,
    traceKey: undefined,
    subject: `state ${finality} ${state.key}`,
    textFor: (subscription) => (subscription.extended ? extended : plain),
  };
}

export function jettonEvent(
  { finality, at, info }: EventHead,
  wallet: {
    readonly json: string;
    /** 33 bytes each. */
    readonly account: Buffer;
    readonly owner: Buffer;
    readonly jetton: Buffer;
    /** The keys of the wallet and of its owner. */
    readonly keys: readonly HashKey[];
  },
): StreamEvent {
  const texts = new SharedTexts();
  return {
    type: 'jettons_change',
    finality,
    at,
    accounts: wallet.keys,
    traceSought: undefined,
    traceKey: undefined,
    subject: `jetton ${finality} ${wallet.keys[0]}`,
    textFor: (subscription) =>
      texts.once(infoView(subscription), () => {
        const { account, owner, jetton } = wallet;
        const infos = infoMembers(
          subscription,
          info,
          () => [account, owner, jetton],
          () => [owner, jetton],
        );
        return `,"finality":"${finality}","jetton":${wallet.json}${infos}}`;
      }),
  };
}
