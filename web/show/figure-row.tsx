import type { FactRecord } from './panel.tsx';
import './figure-row.css';

/** The most important figures of a page, in large type, by their names. */
export function FigureRow({ figures }: { readonly figures: FactRecord }) {
  return (
    <dl class="figures">
      {Object.entries(figures).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
