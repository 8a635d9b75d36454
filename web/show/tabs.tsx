import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import './tabs.css';

interface TabsProps {
  /** Name of the whole, for screen readers. */
  readonly label: string;
  /** Their names and content, by their ids, which stand in the query of the address. */
  readonly tabs: Readonly<Record<string, readonly [name: string, show: () => ComponentChildren]>>;
  readonly first: string | null;
}

/** Parts of a page of which one is shown, and loaded, at a time. The chosen one is in the address. */
export function Tabs({ label, tabs, first }: TabsProps) {
  const ids = Object.keys(tabs);
  const [chosen, choose] = useState(first ?? '');
  const list = useRef<HTMLDivElement>(null);
  const current = Object.hasOwn(tabs, chosen) ? chosen : ids[0]!;
  const open = (id: string) => {
    choose(id);
    const url = new URL(location.href);
    if (id === ids[0]) url.searchParams.delete('tab');
    else url.searchParams.set('tab', id);
    // Without a navigation, which would load the page anew.
    history.replaceState(null, '', url);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = (ids.indexOf(current) + step + ids.length) % ids.length;
    open(ids[at]!);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKey}>
        {Object.entries(tabs).map(([id, [name]]) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === current}
            aria-controls={`part-${id}`}
            tabIndex={id === current ? 0 : -1}
            onClick={() => open(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`part-${current}`}
        aria-labelledby={`tab-${current}`}
        class="page"
        key={current}
      >
        {tabs[current]![1]()}
      </div>
    </>
  );
}
