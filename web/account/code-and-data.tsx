import { readBoc } from '../cells/boc.ts';
import { fromBase64, toHex } from '../show/address-forms.ts';
import { counted, formatNumber } from '../show/figures.ts';
import { CopyButton, Hash } from '../show/hash.tsx';
import { Empty, NotFound, Panel } from '../show/panel.tsx';
import type { AccountView } from './use-account.ts';

const LIBRARY_CELL = 2;

export function CodeAndData({ account }: { readonly account: AccountView }) {
  return (
    <div class="columns">
      <Bag title="Code" boc={account.code_boc} hash={account.code_hash} />
      <Bag title="Data" boc={account.data_boc} hash={account.data_hash} />
    </div>
  );
}

function Bag({ title, boc, hash }: Readonly<Record<'boc' | 'hash', string | undefined>> & { title: string }) {
  const bytes = boc === undefined ? null : fromBase64(boc);
  const bag = bytes === null ? null : readBoc(bytes);
  if (boc === undefined && hash === undefined)
    return <NotFound title={title}>This account has none.</NotFound>;
  const name = title.toLowerCase();
  const shown = (count: number) => formatNumber(count);
  const library = bag?.root.isExotic && bag.root.bits[0] === LIBRARY_CELL ? bag.root.bits : undefined;
  return (
    <Panel
      title={title}
      facts={{
        Hash: hash && <Hash value={hash} name={`hash of the ${name}`} isWhole />,
        Library: library && (
          <Hash value={toHex(library.subarray(1, 33))} name="hash of the library" isWhole />
        ),
        Size:
          bag &&
          `${counted(bag.size.cells, 'cell')}, ${shown(bag.size.bits)} bits, ${shown(bag.size.bytes)} bytes`,
        Copy: boc && (
          <span class="with-copy">
            base64 <CopyButton text={boc} label={`Copy ${name} as base64`} />
            {bytes !== null && (
              <>
                hex <CopyButton text={toHex(bytes)} label={`Copy ${name} as hex`} />
              </>
            )}
          </span>
        ),
      }}
    >
      {boc === undefined ? (
        <Empty>The index does not have it yet.</Empty>
      ) : (
        <details class="bag">
          <summary>Bag of cells</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it */}
          <pre tabIndex={0}>{boc}</pre>
        </details>
      )}
    </Panel>
  );
}
