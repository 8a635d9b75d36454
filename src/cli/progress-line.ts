/** What a line about the progress of the index says. */
export interface ProgressFigures {
  readonly headSeqno: number | undefined;
  readonly followedSeqno: number | undefined;
  /** Seqnos of the wanted range that are in the index, and how many it has. */
  readonly indexedSeqnos: number;
  readonly wantedSeqnos: number;
  readonly seqnosPerSecond: number;
  readonly transactionsPerSecond: number;
  /** Undefined when nothing moves, or nothing is left to do. */
  readonly etaSeconds: number | undefined;
  /** What holds the work up. */
  readonly trouble: string | undefined;
}

/** One line about how far the index is. */
export function progressLine(figures: ProgressFigures): string {
  const { headSeqno, followedSeqno, indexedSeqnos, wantedSeqnos, etaSeconds, trouble } = figures;
  const parts = [
    `seqno ${followedSeqno ?? '-'} of ${headSeqno ?? '-'}`,
    `${percentOf(indexedSeqnos, wantedSeqnos)} % of ${wantedSeqnos}`,
    `${rate(figures.seqnosPerSecond)} blocks/s`,
    `${rate(figures.transactionsPerSecond)} transactions/s`,
  ];
  if (indexedSeqnos >= wantedSeqnos && wantedSeqnos > 0) parts.push('up to date');
  else if (etaSeconds !== undefined) parts.push(`${duration(etaSeconds)} left`);
  if (trouble !== undefined) parts.push(trouble);
  return `index: ${parts.join(', ')}`;
}

/** Rounded down, so that 100 % means all of it. */
function percentOf(part: number, whole: number): string {
  if (whole === 0) return '0.0';
  return (Math.floor((Math.min(part, whole) / whole) * 1000) / 10).toFixed(1);
}

function rate(perSecond: number): string {
  return perSecond >= 10 ? perSecond.toFixed(0) : perSecond.toFixed(1);
}

/** The two greatest units of a length of time. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const units = [
    ['d', Math.floor(whole / 86_400)],
    ['h', Math.floor(whole / 3600) % 24],
    ['min', Math.floor(whole / 60) % 60],
    ['s', whole % 60],
  ] as const;
  const first = units.findIndex(([, count]) => count > 0);
  if (first < 0) return '0 s';
  return units
    .slice(first, first + 2)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => `${count} ${unit}`)
    .join(' ');
}
