import { useEffect } from 'preact/hooks';
import { ActionList } from '../actions/action-list.tsx';
import { get } from '../api/client.ts';
import { openStream } from '../api/stream.ts';
import { useCall } from '../api/use-call.ts';
import type { Trace } from '../api/v3.d.ts';
import { hrefOf, type PageProps } from '../router.ts';
import { Address } from '../show/address.tsx';
import { Ton } from '../show/amount.tsx';
import { MasterchainLink } from '../show/block-link.tsx';
import { counted } from '../show/figures.ts';
import { Hash, shortened } from '../show/hash.tsx';
import { Badge, Empty, Facts, Loaded, PageTitle, Panel } from '../show/panel.tsx';
import { formatSpan, Time } from '../show/time.tsx';
import { kindOf, transactionPage } from '../show/transaction-rows.tsx';
import { layOut, outcomeOf, type PlacedNode, TracePicture } from '../trace/trace-picture.tsx';

/** A trace by its id; by the hash of any of its messages; or while it is pending by that of its external message. */
async function load(id: string, abort: AbortSignal): Promise<Trace | null> {
  const byId = await get('/api/v3/traces', { trace_id: [id], include_actions: true, limit: 1 }, abort);
  if (byId.traces[0] !== undefined) return byId.traces[0];
  const byMessage = await get('/api/v3/traces', { msg_hash: [id], include_actions: true, limit: 1 }, abort);
  if (byMessage.traces[0] !== undefined) return byMessage.traces[0];
  const pending = await get('/api/v3/pendingTraces', { ext_msg_hash: [id] }, abort);
  return pending.traces?.[0] ?? null;
}

/** A trace: everything that followed from one message. */
export function Page({ path }: PageProps) {
  const id = path.id!;
  const call = useCall((abort) => load(id, abort), id);
  useUnfinished(call.data, call.reload);
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
  return (
    <>
      <Panel title="What happened" tools={<Result trace={trace} />}>
        {actions.length === 0 ? (
          <Empty>
            {info.classification_state === 'unclassified' ? 'Not classified yet.' : 'No recognised action.'}
          </Empty>
        ) : (
          <ActionList actions={actions} isPlain />
        )}
      </Panel>
      {layout === null ? (
        <Panel title="Transactions">
          <Empty>{trace.warning ?? 'The transactions of this trace are not shown.'}</Empty>
        </Panel>
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
      <Panel title="Summary">
        <Facts facts={summaryOf(trace)} />
      </Panel>
    </>
  );
}

function Result({ trace }: { readonly trace: Trace }) {
  if (trace.trace_info.trace_state === 'pending') return <Badge kind="warn">pending</Badge>;
  const failed = Object.values(trace.transactions ?? {}).filter(
    (one) => outcomeOf(one).kind === 'bad',
  ).length;
  if (failed === 0) return <Badge kind="good">complete</Badge>;
  return <Badge kind="bad">{counted(failed, 'transaction')} failed</Badge>;
}

function summaryOf(trace: Trace) {
  const { trace_info: info, mc_seqno_start: from, mc_seqno_end: to } = trace;
  return {
    Started: <Time at={trace.start_utime} />,
    Took: trace.end_utime > trace.start_utime && formatSpan(trace.end_utime - trace.start_utime),
    Transactions: info.transactions,
    Messages:
      info.pending_messages === 0 ? info.messages : `${info.messages}, ${info.pending_messages} under way`,
    Fees: <Ton nano={feesOf(trace)} />,
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

function feesOf({ transactions = {} }: Trace): bigint {
  return Object.values(transactions).reduce((sum, { total_fees: fees }) => sum + BigInt(fees), 0n);
}

function Step({ node: { hash, transaction, children } }: { readonly node: PlacedNode }) {
  const { kind, text } = outcomeOf(transaction);
  return (
    <li>
      <div class="step">
        {transaction !== undefined && <Address address={transaction.account} />}
        <a href={hrefOf(transactionPage(hash))} title={hash}>
          {transaction === undefined ? shortened(hash) : kindOf(transaction)}
        </a>
        {transaction?.in_msg?.value !== undefined && transaction.in_msg?.value !== null && (
          <Ton nano={transaction.in_msg.value} />
        )}
        {text !== '' && (
          <Badge kind={kind === 'bad' ? 'bad' : kind === 'bounced' ? 'warn' : 'plain'}>{text}</Badge>
        )}
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

/** Without a stream. */
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
