import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import './tabs.css';

export interface Tab {
  /** As it stands in the query of the address. */
  readonly id: string;
  readonly name: string;
  readonly show: () => ComponentChildren;
}

interface TabsProps {
  /** Name of the whole, for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** From the query of the address. */
  readonly first: string | null;
}

/** Parts of a page of which one is shown, and loaded, at a time. The chosen one is in the address. */
export function Tabs({ label, tabs, first }: TabsProps) {
  const [chosen, choose] = useState(tabs.some(({ id }) => id === first) ? first! : tabs[0]!.id);
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find(({ id }) => id === chosen) ?? tabs[0]!;
  const open = (id: string) => {
    choose(id);
    const url = new URL(location.href);
    if (id === tabs[0]!.id) url.searchParams.delete('tab');
    else url.searchParams.set('tab', id);
    // Without a navigation, which would load the page anew.
    history.replaceState(null, '', url);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = (tabs.indexOf(current) + step + tabs.length) % tabs.length;
    open(tabs[at]!.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKey}>
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === current.id}
            aria-controls={`part-${id}`}
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => open(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`part-${current.id}`}
        aria-labelledby={`tab-${current.id}`}
        class="page"
        key={current.id}
      >
        {current.show()}
      </div>
    </>
  );
}
