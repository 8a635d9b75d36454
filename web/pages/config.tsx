import type { ComponentChildren } from 'preact';
import { get } from '../api/client.ts';
import { useCall } from '../api/use-call.ts';
import { readBoc } from '../cells/boc.ts';
import { dictionaryEntries, signedKey } from '../cells/cell-reader.ts';
import { cellText } from '../cells/cell-text.ts';
import { paramName, type ShownParam, showParam } from '../config/config-params.ts';
import type { ConfigFact, ConfigTable } from '../config/config-values.ts';
import { serverInfo } from '../server-info.ts';
import { Address } from '../show/address.tsx';
import { fromBase64 } from '../show/address-forms.ts';
import { formatUnits, Ton } from '../show/amount.tsx';
import { formatNumber } from '../show/figures.ts';
import { Hash } from '../show/hash.tsx';
import { Empty, Facts, Loaded, PageTitle, Panel } from '../show/panel.tsx';
import { Table } from '../show/table.tsx';
import { formatSpan, Time } from '../show/time.tsx';
import './config.css';

const MAX_ROWS = 500;
const MAX_NARROW_COLUMNS = 4;
/** Prices are in 1/65536 nanoton. */
const PRICE_UNITS = 65_536;
/** The end of what stays until something else replaces it. */
const MAX_TIME = 4_294_967_295;

async function load(abort: AbortSignal): Promise<readonly ShownParam[]> {
  const { result } = await get('/api/v2/getConfigAll', {}, abort);
  const bytes = fromBase64(result.config.bytes);
  const root = bytes === null ? null : readBoc(bytes);
  if (root === null) throw new Error('The configuration cannot be read');
  return [...dictionaryEntries(root.root, 32)]
    .map(([key, value]) => showParam(signedKey(key), value.ref()))
    .toSorted((a, b) => Number(a.id < 0) - Number(b.id < 0) || a.id - b.id);
}

export function Page() {
  const call = useCall(load, 'config');
  return (
    <>
      <PageTitle kind="Configuration">of {serverInfo.value.network}</PageTitle>
      <Loaded call={call}>
        {(params) => (
          <>
            <nav aria-label="Params">
              <ParamLinks ids={params.map(({ id }) => id)} />
            </nav>
            <div class="columns params">
              {params.map((param) => (
                <Param key={param.id} param={param} />
              ))}
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

function ParamLinks({ ids }: { readonly ids: readonly number[] }) {
  return (
    <div class="links">
      {ids.map((id) => (
        <button key={id} type="button" class="link" onClick={() => showPart(id)}>
          <span class="muted">{id}</span> {paramName(id)}
        </button>
      ))}
    </div>
  );
}

/** Not by a link: the address of a part would be one of another page, because of <base>. */
function showPart(id: number): void {
  const part = document.getElementById(`param-${id}`);
  part?.scrollIntoView({ block: 'start' });
  part?.focus({ preventScroll: true });
}

function Param({ param: { id, name, about, content, cell } }: { readonly param: ShownParam }) {
  // Tables need the whole width.
  const isWide = content?.tables?.some(({ rows }) => (rows[0]?.length ?? 0) > MAX_NARROW_COLUMNS);
  return (
    <div id={`param-${id}`} tabIndex={-1} class={isWide ? 'wide' : ''}>
      <Panel title={`${id} · ${name}`} tools={<span class="muted">{about}</span>}>
        {content === undefined ? (
          <Empty>Not shown in words. Its cell has {cellText(cell)}.</Empty>
        ) : (
          <>
            {content.facts.length > 0 && (
              <Facts facts={Object.fromEntries(content.facts.map((fact) => [fact.name, shownValue(fact)]))} />
            )}
            {content.params !== undefined && <ParamLinks ids={content.params} />}
            {content.tables?.map((table) => (
              <ParamTable key={table.title} table={table} />
            ))}
          </>
        )}
      </Panel>
    </div>
  );
}

const NUMBERS: ReadonlySet<string> = new Set('number ton price share seconds milliseconds bytes'.split(' '));

function ParamTable({ table: { title, rows } }: { readonly table: ConfigTable }) {
  const [first] = rows;
  if (first === undefined) return <Empty>None.</Empty>;
  return (
    <>
      <Table
        name={title}
        kind="param-table"
        rows={rows.slice(0, MAX_ROWS)}
        keyOf={(_, index) => index}
        columns={Object.fromEntries(
          first.map(({ name, kind }, column) => [
            name,
            {
              kind: NUMBERS.has(kind) ? 'number' : '',
              show: (row: readonly ConfigFact[]) => shownValue(row[column]!, true),
            },
          ]),
        )}
      />
      {rows.length > MAX_ROWS && <Empty>{rows.length - MAX_ROWS} more are not shown.</Empty>}
    </>
  );
}

function shownValue({ kind, value }: ConfigFact, isShort = false): ComponentChildren {
  switch (kind) {
    case 'ton':
      return <Ton nano={BigInt(value)} />;
    case 'price':
      return `${formatPrice(Number(value) / PRICE_UNITS)} nanoton`;
    case 'share':
      return `${((Number(value) / PRICE_UNITS) * 100).toFixed(2)} %`;
    case 'seconds':
      return (
        <>
          {formatSpan(Number(value))}
          {Number(value) >= 60 && <span class="muted"> ({formatUnits(BigInt(value), 0)} s)</span>}
        </>
      );
    case 'milliseconds':
      return `${formatUnits(BigInt(value), 0)} ms`;
    case 'bytes':
      return `${formatUnits(BigInt(value), 0)} bytes`;
    case 'time':
      if (value === 0) return <span class="muted">always</span>;
      return value === MAX_TIME ? 'the next set' : <Time at={Number(value)} />;
    case 'account':
      return <Address address={`-1:${value}`} isWhole={!isShort} canCopy={!isShort} />;
    case 'hash':
      return value === '' ? <span class="muted">–</span> : <Hash value={String(value)} isWhole={!isShort} />;
    case 'flag':
      return value ? 'yes' : 'no';
    case 'number':
      return typeof value === 'number' && !Number.isInteger(value) ? value : formatUnits(BigInt(value), 0);
    default:
      return String(value);
  }
}

function formatPrice(value: number): string {
  return value >= 1 || value === 0 ? formatNumber(value, 3) : value.toPrecision(3);
}
