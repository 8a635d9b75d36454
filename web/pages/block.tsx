import { useState } from 'preact/hooks';
import { useGet } from '../api/use-call.ts';
import type { Block } from '../api/v3.d.ts';
import { hrefOf, type PageProps } from '../router.ts';
import { BlockLink, blockName, blockPage, MasterchainLink } from '../show/block-link.tsx';
import { counted, formatNumber } from '../show/figures.ts';
import { Hash } from '../show/hash.tsx';
import { Badge, Empty, Loaded, NotFound, PageTitle, Panel, ScrollRegion } from '../show/panel.tsx';
import { Time } from '../show/time.tsx';
import { TransactionRows } from '../show/transaction-rows.tsx';
import './block.css';

const PAGE_ROWS = 50;
const MAX_ROWS = 1000;

export function Page({ path }: PageProps) {
  const id = { workchain: Number(path.workchain), shard: path.shard!, seqno: Number(path.seqno) };
  const isValid =
    Number.isInteger(id.workchain) && Number.isInteger(id.seqno) && /^[0-9a-f]{16}$/i.test(id.shard);
  const call = useGet('/api/v3/blocks', isValid ? { ...id, limit: 1 } : null);
  if (!isValid) return <Empty>This is not the id of a block.</Empty>;
  return (
    <>
      <PageTitle kind={id.workchain === -1 ? 'Masterchain block' : `Block of workchain ${id.workchain}`}>
        {formatNumber(id.seqno)}
      </PageTitle>
      <Loaded call={call}>
        {({ blocks: [block] }) =>
          block === undefined ? (
            <NotFound>
              The index has no block {id.seqno} of workchain {id.workchain}, shard {id.shard}. It may not
              exist yet, or not be indexed.
            </NotFound>
          ) : (
            <BlockView block={block} />
          )
        }
      </Loaded>
    </>
  );
}

function BlockView({ block }: { readonly block: Block }) {
  return (
    <>
      <Panel title="Block" tools={<Neighbours block={block} />} facts={factsOf(block)} />
      {block.workchain === -1 && <Shards seqno={block.seqno} />}
      <Transactions block={block} />
    </>
  );
}

const FLAGS = {
  key_block: 'key block',
  after_split: 'after split',
  after_merge: 'after merge',
  before_split: 'before split',
  want_split: 'wants to split',
  want_merge: 'wants to merge',
} as const;

function factsOf(block: Block) {
  const flags = (Object.keys(FLAGS) as (keyof typeof FLAGS)[]).filter((name) => block[name]);
  return {
    Id: <span class="hash whole">{blockName(block)}</span>,
    Time: <Time at={Number(block.gen_utime)} />,
    Flags: flags.length > 0 && flags.map((flag) => <Badge key={flag}>{FLAGS[flag]}</Badge>),
    'Root hash': <Hash value={block.root_hash} isWhole name="root hash" />,
    'File hash': <Hash value={block.file_hash} isWhole name="file hash" />,
    'Masterchain block': block.workchain !== -1 && (
      <MasterchainLink seqno={block.masterchain_block_ref.seqno} />
    ),
    Previous: block.prev_blocks?.map((one) => (
      <div key={`${one.shard}${one.seqno}`}>
        <BlockLink block={one} />
      </div>
    )),
    'Logical time': `${block.start_lt} – ${block.end_lt}`,
    Transactions: block.tx_count,
    'Created by': block.created_by !== '' && <Hash value={block.created_by} name="key of the creator" />,
    Version: block.version,
  };
}

function Neighbours({ block: { workchain, shard, seqno } }: { readonly block: Block }) {
  return (
    <nav class="tools" aria-label="Neighbouring blocks">
      {seqno > 1 && <a href={hrefOf(blockPage({ workchain, shard, seqno: seqno - 1 }))}>← {seqno - 1}</a>}
      <a href={hrefOf(blockPage({ workchain, shard, seqno: seqno + 1 }))}>{seqno + 1} →</a>
    </nav>
  );
}

function Shards({ seqno }: { readonly seqno: number }) {
  const call = useGet('/api/v3/masterchainBlockShardState', { seqno });
  return (
    <Panel title="Shards">
      <Loaded call={call}>
        {({ blocks }) => <ShardTree blocks={blocks.filter(({ workchain }) => workchain !== -1)} />}
      </Loaded>
    </Panel>
  );
}

/** Of a masterchain block, those of the blocks it committed too. */
function Transactions({ block: { workchain, shard, seqno, tx_count: count } }: { readonly block: Block }) {
  const [limit, setLimit] = useState(PAGE_ROWS);
  const isMasterchain = workchain === -1;
  const all = useGet('/api/v3/transactionsByMasterchainBlock', isMasterchain ? { seqno, limit } : null);
  const own = useGet('/api/v3/transactions', isMasterchain ? null : { workchain, shard, seqno, limit });
  return (
    <Panel
      title={isMasterchain ? 'Transactions of this block and its shards' : 'Transactions'}
      count={isMasterchain ? undefined : count}
    >
      <Loaded call={isMasterchain ? all : own}>
        {({ transactions }) => (
          <>
            <TransactionRows transactions={transactions} empty="No transactions." />
            {transactions.length === limit && limit < MAX_ROWS && (
              <p>
                <button type="button" onClick={() => setLimit(Math.min(limit * 4, MAX_ROWS))}>
                  Show more
                </button>
              </p>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** The shards of all workchains as trees: each half of a box is half of the accounts. */
function ShardTree({ blocks }: { readonly blocks: readonly Block[] }) {
  if (blocks.length === 0) return <Empty>No shards.</Empty>;
  const workchains = Map.groupBy(blocks, ({ workchain }) => workchain);
  return (
    <div class="shard-trees">
      {[...workchains].map(([workchain, shards]) => (
        <section key={workchain} aria-label={`Workchain ${workchain}`}>
          <h3>
            Workchain {workchain}{' '}
            <span class="muted">{shards.length === 1 ? 'one shard' : `${shards.length} shards`}</span>
          </h3>
          <ScrollRegion name={`Shards of workchain ${workchain}`}>
            <Branch prefix="" blocks={shards} />
          </ScrollRegion>
        </section>
      ))}
    </div>
  );
}

/** Bits of the prefix that all accounts of a shard have: empty for the whole workchain. */
function shardPrefix({ shard }: Block): string {
  const bits = BigInt(`0x${shard}`).toString(2).padStart(64, '0');
  return bits.slice(0, bits.lastIndexOf('1'));
}

/** Shards below a prefix: a block where the tree ends, else both halves. */
function Branch({ prefix, blocks }: { readonly prefix: string; readonly blocks: readonly Block[] }) {
  const block = blocks.find((one) => shardPrefix(one) === prefix);
  const name = prefix === '' ? 'all accounts' : `${prefix}…`;
  if (block !== undefined)
    return (
      <a class="shard" href={hrefOf(blockPage(block))} title={`shard ${block.shard}`}>
        <code>{name}</code>
        <span>{block.seqno}</span>
        <span class="muted">{counted(block.tx_count, 'transaction')}</span>
      </a>
    );
  return (
    <div class="branch">
      <code class="prefix">{name}</code>
      <div class="halves">
        {(blocks.length === 0 ? [] : [`${prefix}0`, `${prefix}1`]).map((half) => (
          <Branch
            key={half}
            prefix={half}
            blocks={blocks.filter((one) => shardPrefix(one).startsWith(half))}
          />
        ))}
      </div>
    </div>
  );
}
