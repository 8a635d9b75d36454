import { useEffect } from 'preact/hooks';
import { ActionList } from '../actions/action-list.tsx';
import { get, getFirst } from '../api/client.ts';
import { openStream } from '../api/stream.ts';
import { useCall } from '../api/use-call.ts';
import type { Trace } from '../api/v3.d.ts';
import { hrefOf, type PageProps } from '../router.ts';
import { Address } from '../show/address.tsx';
import { Ton } from '../show/amount.tsx';
import { MasterchainLink } from '../show/block-link.tsx';
import { counted } from '../show/figures.ts';
import { Hash, isHash, NoHash, shortened } from '../show/hash.tsx';
import { Badge, Loaded, NotFound, PageTitle, Panel, type Tone } from '../show/panel.tsx';
import { formatSpan, Time } from '../show/time.tsx';
import { kindOf, opcodeName, transactionPage } from '../show/transaction-rows.tsx';
import { layOut, OUTSIDE, outcomeOf, type PlacedNode, TracePicture } from '../trace/trace-picture.tsx';

/** A trace by its id; by the hash of any of its messages; or while it is pending by that of its external message. */
async function load(id: string, abort: AbortSignal): Promise<Trace | null> {
  for (const query of [{ trace_id: [id] }, { msg_hash: [id] }]) {
    const trace = await getFirst('/api/v3/traces', 'traces', { ...query, include_actions: true }, abort);
    if (trace !== null) return trace;
  }
  const pending = await get('/api/v3/pendingTraces', { ext_msg_hash: [id] }, abort);
  return pending.traces?.[0] ?? null;
}

/** A trace: everything that followed from one message. */
export function Page({ path }: PageProps) {
  const id = path.id!;
  const call = useCall((abort) => load(id, abort), isHash(id) ? id : null);
  useUnfinished(call.data, call.reload);
  if (!isHash(id)) return <NoHash kind="Trace" text={id} />;
  return (
    <>
      <PageTitle kind="Trace">
        <Hash value={id} name="trace id" isWhole />
      </PageTitle>
      <Loaded
        call={call}
        notFound="The index has no trace with this id, and no pending message has this hash."
      >
        {(trace) => <TraceView trace={trace} />}
      </Loaded>
    </>
  );
}

function TraceView({ trace }: { readonly trace: Trace }) {
  const layout = layOut(trace);
  const { actions = [], trace_info: info } = trace;
  const isUnclassified = info.classification_state === 'unclassified';
  return (
    <>
      <Panel title="What happened" tools={<Result trace={trace} />}>
        <ActionList
          actions={actions}
          isPlain
          empty={isUnclassified ? 'Not classified yet.' : 'No recognised action.'}
        />
      </Panel>
      {layout === null ? (
        <NotFound title="Transactions">
          {trace.warning ?? 'The transactions of this trace are not shown.'}
        </NotFound>
      ) : (
        <>
          <Panel
            title="Tree"
            count={layout.leftOut > 0 ? `without ${layout.leftOut} transactions` : undefined}
          >
            <TracePicture layout={layout} />
          </Panel>
          <Panel title="Transactions" count={info.transactions}>
            <ol class="trace-list">
              <Step node={layout.root} />
            </ol>
          </Panel>
        </>
      )}
      <Panel title="Summary" facts={summaryOf(trace)} />
    </>
  );
}

function Result({ trace }: { readonly trace: Trace }) {
  if (trace.trace_info.trace_state === 'pending') return <Badge kind="warn">pending</Badge>;
  const failed = Object.values(trace.transactions ?? {}).filter(
    (transaction) => outcomeOf({ transaction }).kind === 'bad',
  );
  if (failed.length === 0) return <Badge kind="good">complete</Badge>;
  return <Badge kind="bad">{counted(failed.length, 'transaction')} failed</Badge>;
}

function summaryOf(trace: Trace) {
  const { trace_info: info, mc_seqno_start: from, mc_seqno_end: to, transactions = {} } = trace;
  const fees = Object.values(transactions).reduce((sum, { total_fees: fee }) => sum + BigInt(fee), 0n);
  return {
    Started: <Time at={trace.start_utime} />,
    Took: trace.end_utime > trace.start_utime && formatSpan(trace.end_utime - trace.start_utime),
    Transactions: info.transactions,
    Messages:
      info.pending_messages === 0 ? info.messages : `${info.messages}, ${info.pending_messages} under way`,
    Fees: <Ton nano={fees} />,
    'Masterchain blocks': Number(from) !== 0 && (
      <span>
        <MasterchainLink seqno={Number(from)} />
        {from !== to && ' – '}
        {from !== to && <MasterchainLink seqno={Number(to)} />}
      </span>
    ),
    'External message': trace.external_hash && <Hash value={trace.external_hash} name="external message" />,
  };
}

const TONES: Readonly<Record<string, Tone>> = { bad: 'bad', bounced: 'warn' };

function Step({ node }: { readonly node: PlacedNode }) {
  const { hash, transaction, out, children } = node;
  const { kind, text } = outcomeOf(node);
  const value = transaction?.in_msg?.value;
  return (
    <li>
      <div class="step">
        {transaction !== undefined && <Address address={transaction.account} />}
        {out !== undefined && <span class="muted">{OUTSIDE}</span>}
        <a href={hrefOf(transactionPage(out?.sender ?? hash))} title={hash}>
          {out !== undefined
            ? opcodeName(out.message)
            : transaction === undefined
              ? shortened(hash)
              : kindOf(transaction)}
        </a>
        {typeof value === 'string' && <Ton nano={value} />}
        {text !== '' && <Badge kind={TONES[kind] ?? 'plain'}>{text}</Badge>}
      </div>
      {children.length > 0 && (
        <ol>
          {children.map((child) => (
            <Step key={child.hash} node={child} />
          ))}
        </ol>
      )}
    </li>
  );
}

const POLL_MS = 2000;

/** Loads a trace that is not complete again whenever a stream tells of it; without a stream, now and then. */
function useUnfinished(trace: Trace | null | undefined, reload: () => void): void {
  const isUnfinished = trace?.trace_info.trace_state === 'pending';
  const message = trace?.external_hash;
  useEffect(() => {
    if (!isUnfinished) return;
    let isOpen = false;
    const timer = setInterval(() => {
      if (!isOpen && !document.hidden) reload();
    }, POLL_MS);
    const close =
      message === null || message === undefined
        ? undefined
        : openStream(
            { types: ['trace'], trace_external_hash_norms: [message], min_finality: 'pending' },
            {
              onEvent: reload,
              onState: (open) => {
                isOpen = open;
                // Events before it was open are missing.
                if (open) reload();
              },
            },
          );
    return () => {
      clearInterval(timer);
      close?.();
    };
  }, [isUnfinished, message, reload]);
}
