import { useEffect, useRef, useState } from 'preact/hooks';
import { apiKey, get } from '../api/client.ts';
import { openStream } from '../api/stream.ts';
import { useCall } from '../api/use-call.ts';
import type { Block } from '../api/v3.d.ts';
import { ROOT } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { MasterchainLink } from '../show/block-link.tsx';
import { formatCount, formatNumber } from '../show/figures.ts';
import { shortened } from '../show/hash.tsx';
import { Badge, type FactRecord, Facts, Loaded, Panel } from '../show/panel.tsx';
import { Table } from '../show/table.tsx';
import { Ago, formatSpan, noteChainTime } from '../show/time.tsx';
import { TransactionRows } from '../show/transaction-rows.tsx';
import './front.css';

/** As `/status` has it. */
interface Status {
  readonly index?: Readonly<Record<'last_seqno' | 'lag_seqnos' | 'percent' | 'gaps', number>> & {
    readonly eta_seconds?: number;
  };
  readonly streaming?: { readonly last_seqno?: number };
  readonly lite: {
    readonly groups: readonly { readonly head_seqno?: number; readonly head_age_seconds?: number }[];
  };
}

const NEWEST = { limit: 15, sort: 'desc' } as const;
/** Its contract runs in every masterchain block, so its events tell of all blocks. */
const CONFIG_ACCOUNT = `-1:${'5'.repeat(64)}`;
/** Blocks may come faster than anybody reads. */
const MIN_REFRESH_MS = 1000;
/** Without a key there is one request per second. */
const ANONYMOUS_REFRESH_MS = 6000;
const POLL_MS = 2000;

async function load(abort: AbortSignal) {
  const [status, { blocks }, { transactions }] = await Promise.all([
    readStatus(abort),
    get('/api/v3/blocks', { workchain: -1, ...NEWEST }, abort),
    get('/api/v3/transactions', NEWEST, abort),
  ]);
  // Each answer is as new as the index was then.
  const times = [Number(blocks[0]?.gen_utime ?? 0), transactions[0]?.now ?? 0];
  if (blocks[0] !== undefined) noteChainTime(Math.max(...times));
  return { status, blocks, transactions };
}

/** The front page: newest blocks and transactions, live. */
export function Page() {
  const [isPaused, setPaused] = useState(false);
  const call = useCall(load, 'front');
  const isLive = useNewBlocks(call.reload, isPaused);
  const pause = (
    <div class="tools">
      <Badge kind={isPaused ? 'warn' : isLive ? 'good' : 'plain'}>
        {isPaused ? 'paused' : isLive ? 'live' : 'polling'}
      </Badge>
      <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
        {isPaused ? 'Go on' : 'Pause'}
      </button>
    </div>
  );
  return (
    <>
      <h1 class="visually-hidden" tabIndex={-1}>
        tongate on {serverInfo.value.network}
      </h1>
      <Loaded call={call}>
        {({ status, blocks, transactions }) => (
          <>
            <Facts kind="figures" facts={figuresOf(status, blocks)} />
            <div class="front">
              <Panel title="Masterchain blocks" tools={pause}>
                <BlockRows blocks={blocks} />
              </Panel>
              <Panel title="Newest transactions">
                <TransactionRows transactions={transactions} />
              </Panel>
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

/**
 * Calls `refresh` for new blocks: when the stream tells of one, or `/status` has a higher seqno. Contracts that run in
 * every block are what makes the stream tell of all of them, and a private network may have none.
 */
function useNewBlocks(refresh: () => void, isPaused: boolean): boolean {
  const [isLive, setLive] = useState(false);
  const refreshedAt = useRef(performance.now());
  const lastSeqno = useRef(0);
  useEffect(() => {
    if (isPaused) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const plan = () => {
      const pauseMs = apiKey.peek() === '' ? ANONYMOUS_REFRESH_MS : MIN_REFRESH_MS;
      timer ??= setTimeout(
        () => {
          timer = undefined;
          refreshedAt.current = performance.now();
          // Nobody sees a hidden page.
          if (!document.hidden) refresh();
        },
        Math.max(0, refreshedAt.current + pauseMs - performance.now()),
      );
    };
    const poll = setInterval(async () => {
      const status = document.hidden ? undefined : await readStatus();
      const seqno = status?.streaming?.last_seqno ?? status?.index?.last_seqno ?? 0;
      if (seqno <= lastSeqno.current) return;
      lastSeqno.current = seqno;
      plan();
    }, POLL_MS);
    const close = openStream(
      { types: ['account_state_change'], addresses: [CONFIG_ACCOUNT] },
      { onEvent: plan, onState: setLive },
    );
    return () => {
      close();
      clearInterval(poll);
      clearTimeout(timer);
    };
  }, [refresh, isPaused]);
  return isLive;
}

/** Not a call of the API: it needs no key and does not count. */
async function readStatus(abort?: AbortSignal): Promise<Status | undefined> {
  return fetch(`${ROOT}status`, abort ? { signal: abort } : {}).then(
    (response) => (response.ok ? (response.json() as Promise<Status>) : undefined),
    () => undefined,
  );
}

function figuresOf(status: Status | undefined, blocks: readonly Block[]): FactRecord {
  const head = status?.lite.groups[0];
  const [newest] = blocks;
  return {
    'Masterchain head': formatNumber(head?.head_seqno ?? newest?.seqno ?? 0),
    'Newest indexed block': newest === undefined ? 'none yet' : <Ago at={Number(newest.gen_utime)} />,
    'Time between blocks': blockTime(blocks),
    Index: indexState(status?.index),
  };
}

/** The mean over the blocks that are shown. */
function blockTime(blocks: readonly Block[]): string {
  const [first, last] = [blocks.at(-1), blocks[0]];
  if (first === undefined || last === undefined || last.seqno <= first.seqno) return '–';
  const seconds = (Number(last.gen_utime) - Number(first.gen_utime)) / (last.seqno - first.seqno);
  return seconds >= 60 ? formatSpan(seconds) : `${formatCount(seconds)} s`;
}

/** More seqnos than this behind the head, and the index is not current. */
const CURRENT_LAG = 5;

function indexState(index: Status['index']): string {
  if (index === undefined) return 'by another process';
  const { gaps, percent, lag_seqnos: lag, eta_seconds: eta } = index;
  if (gaps > 0) return `${percent} %${eta === undefined ? '' : `, ${formatSpan(eta)} left`}`;
  return lag <= CURRENT_LAG ? 'up to date' : `${formatNumber(lag)} blocks behind`;
}

function BlockRows({ blocks }: { readonly blocks: readonly Block[] }) {
  return (
    <Table
      name="Table of blocks"
      rows={blocks}
      keyOf={({ seqno }) => seqno}
      columns={{
        Seqno: {
          kind: 'nowrap',
          show: ({ seqno, key_block: isKey }) => (
            <>
              <MasterchainLink seqno={seqno} /> {isKey && <Badge>key</Badge>}
            </>
          ),
        },
        Hash: ({ root_hash: hash }) => (
          <span class="hash" title={hash}>
            {shortened(hash, 4, 4)}
          </span>
        ),
        // Not those of its shards.
        'Own transactions': { kind: 'number', show: ({ tx_count: count }) => count },
        Time: { kind: 'number', show: ({ gen_utime: time }) => <Ago at={Number(time)} /> },
      }}
    />
  );
}
