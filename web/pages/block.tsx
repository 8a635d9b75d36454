import { useState } from 'preact/hooks';
import { useGet } from '../api/use-call.ts';
import type { Block } from '../api/v3.d.ts';
import { hrefOf, type PageProps } from '../router.ts';
import { blockName, blockPage, MasterchainLink, shardPrefix } from '../show/block-link.tsx';
import { counted } from '../show/figures.ts';
import { Hash } from '../show/hash.tsx';
import { Badge, Empty, Facts, Loaded, NotFound, PageTitle, Panel, ScrollRegion } from '../show/panel.tsx';
import { Time } from '../show/time.tsx';
import { TransactionRows } from '../show/transaction-rows.tsx';
import './block.css';

const PAGE_ROWS = 50;
const MAX_ROWS = 1000;

/** A block of the masterchain or of a shard. */
export function Page({ path }: PageProps) {
  const id = { workchain: Number(path.workchain), shard: path.shard!, seqno: Number(path.seqno) };
  const isValid =
    Number.isInteger(id.workchain) && Number.isInteger(id.seqno) && /^[0-9a-f]{16}$/i.test(id.shard);
  const call = useGet('/api/v3/blocks', isValid ? { ...id, limit: 1 } : null);
  if (!isValid) return <Empty>This is not the id of a block.</Empty>;
  return (
    <>
      <PageTitle kind={id.workchain === -1 ? 'Masterchain block' : `Block of workchain ${id.workchain}`}>
        {id.seqno.toLocaleString('en')}
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
  const isMasterchain = block.workchain === -1;
  return (
    <>
      <Panel title="Block" tools={<Neighbours block={block} />}>
        <Facts facts={factsOf(block)} />
      </Panel>
      {isMasterchain && <Shards seqno={block.seqno} />}
      <Transactions block={block} />
    </>
  );
}

function factsOf(block: Block) {
  const { masterchain_block_ref: master, prev_blocks: previous } = block;
  const flags = [
    block.key_block && 'key block',
    block.after_split && 'after split',
    block.after_merge && 'after merge',
    block.before_split && 'before split',
    block.want_split && 'wants to split',
    block.want_merge && 'wants to merge',
  ].filter((flag) => flag !== false);
  return {
    Id: <span class="hash whole">{blockName(block)}</span>,
    Time: <Time at={Number(block.gen_utime)} />,
    Flags: flags.length > 0 && flags.map((flag) => <Badge key={flag}>{flag}</Badge>),
    'Root hash': <Hash value={block.root_hash} isWhole name="root hash" />,
    'File hash': <Hash value={block.file_hash} isWhole name="file hash" />,
    'Masterchain block': block.workchain !== -1 && <MasterchainLink seqno={master.seqno} />,
    Previous: previous?.map((one) => (
      <div key={`${one.shard}${one.seqno}`}>
        <a class="hash" href={hrefOf(blockPage(one))}>
          {blockName(one)}
        </a>
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
        {({ blocks }) => {
          const shards = blocks.filter(({ workchain }) => workchain !== -1);
          return shards.length === 0 ? <Empty>No shards.</Empty> : <ShardTree blocks={shards} />;
        }}
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
        {({ transactions }) =>
          transactions.length === 0 ? (
            <Empty>No transactions.</Empty>
          ) : (
            <>
              <TransactionRows transactions={transactions} />
              {transactions.length === limit && limit < MAX_ROWS && (
                <p>
                  <button type="button" onClick={() => setLimit(Math.min(limit * 4, MAX_ROWS))}>
                    Show more
                  </button>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** Shards below a prefix: a block where the tree ends, else both halves. */
interface Node {
  readonly prefix: string;
  readonly block?: Block;
  readonly halves: readonly Node[];
}

/** The shards of all workchains as trees: each half of a box is half of the accounts. */
function ShardTree({ blocks }: { readonly blocks: readonly Block[] }) {
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
            <Branch node={treeOf('', shards)} />
          </ScrollRegion>
        </section>
      ))}
    </div>
  );
}

function treeOf(prefix: string, blocks: readonly Block[]): Node {
  const block = blocks.find(({ shard }) => shardPrefix(shard) === prefix);
  if (block !== undefined || blocks.length === 0) return { prefix, ...(block && { block }), halves: [] };
  const halves = ['0', '1'].map((bit) =>
    treeOf(
      prefix + bit,
      blocks.filter(({ shard }) => shardPrefix(shard).startsWith(prefix + bit)),
    ),
  );
  return { prefix, halves };
}

function Branch({ node: { prefix, block, halves } }: { readonly node: Node }) {
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
        {halves.map((half) => (
          <Branch key={half.prefix} node={half} />
        ))}
      </div>
    </div>
  );
}
