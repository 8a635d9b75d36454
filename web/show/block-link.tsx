import type { BlockId } from '../api/v3.d.ts';
import { hrefOf, pagePath } from '../router.ts';

export const WHOLE_SHARD = '8000000000000000';

export function blockPage({ workchain, shard, seqno }: BlockId): string {
  return pagePath('block', workchain, shard.toLowerCase(), seqno);
}

/** The id of a block, as nodes write it. */
export function blockName({ workchain, shard, seqno }: BlockId): string {
  return `(${workchain},${shard},${seqno})`;
}

export function BlockLink({
  block,
  isWhole = false,
}: {
  readonly block: BlockId;
  readonly isWhole?: boolean;
}) {
  return (
    <a class={isWhole ? 'hash whole' : 'hash'} href={hrefOf(blockPage(block))}>
      {blockName(block)}
    </a>
  );
}

/** The seqno of a masterchain block as a link to its page. */
export function MasterchainLink({ seqno, word = '' }: { readonly seqno: number; readonly word?: string }) {
  return <a href={hrefOf(blockPage({ workchain: -1, shard: WHOLE_SHARD, seqno }))}>{word + seqno}</a>;
}
