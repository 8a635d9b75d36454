import type { Block } from '../api/v3.d.ts';
import { hrefOf } from '../router.ts';
import { blockPage, shardPrefix } from './block-link.tsx';
import { counted } from './figures.ts';
import { ScrollRegion } from './panel.tsx';
import './shard-tree.css';

/** Shards below a prefix: a block where the tree ends, else both halves. */
interface Node {
  readonly prefix: string;
  readonly block?: Block;
  readonly halves: readonly Node[];
}

/** The shards of all workchains as trees: each half of a box is half of the accounts. */
export function ShardTree({ blocks }: { readonly blocks: readonly Block[] }) {
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
