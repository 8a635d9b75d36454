import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../config/settings.ts';
import { startEmbeddedPostgres } from '../db/embedded/server.ts';
import { affordableConnections, connectionsPerAddress } from '../http/connections.ts';
import type { TextOutput } from '../lib/log.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import { waitAtMost } from '../lib/wait.ts';
import { workerFile } from '../lib/worker-thread.ts';
import { createLogDestination } from '../observe/log-destination.ts';
import { flushLog } from '../observe/logger.ts';
import {
  createWorkerMetrics,
  isCounted,
  type ProcessMetrics,
  sumCounters,
  sumMetrics,
} from '../observe/sum-metrics.ts';
import { PENDING_LIMITS } from '../pending/pending-traces.ts';
import { keepBudgets } from '../workers/budgets.ts';
import { keepChain } from '../workers/chain.ts';
import { createDoor } from '../workers/connections.ts';
import { type Crew, createCrew, type Member } from '../workers/crew.ts';
import { keepRates } from '../workers/rates.ts';
import { keepSlots } from '../workers/slots.ts';
import { keepTraces } from '../workers/traces.ts';
import { bannerText, type StartedParts } from './banner.ts';
import { startDashboard } from './dashboard.ts';
import { type Figures, NO_FIGURES, sumFigures } from './figures.ts';
import { endFailedStart, type OpenProcess, openProcess, startMetricsServer } from './open-process.ts';
import { packageVersion } from './package-version.ts';
import { checkStart } from './start-checks.ts';

const METRICS_MS = 2000;
const FIGURES_MS = 2500;

interface ParentOptions {
  readonly settings: Settings;
  /** How many processes answer requests. */
  readonly workers: number;
  readonly command: 'start' | 'serve';
  /** Where the processes read their settings. */
  readonly env: NodeJS.ProcessEnv;
  readonly out: TextOutput;
}

/**
 * Serves HTTP with several processes until a signal arrives; resolves when everything is up. This process is their parent:
 * it accepts connections, and keeps what they share.
 */
export async function serveWithWorkers({
  settings,
  workers,
  command,
  env,
  out,
}: ParentOptions): Promise<void> {
  const { network, host, port, trustProxy } = settings;
  const destination = process.stdout.isTTY === true ? undefined : createLogDestination(1);
  const opened = openProcess(settings, 'tongate starting', { destination });
  const { log, shutdown, metrics } = opened;
  const { assertRunning } = shutdown;
  let withdraw: (() => Promise<void>) | undefined;
  try {
    // The processes check again what they use; here it is found before there is a database.
    ({ withdraw } = await checkStart(settings, {
      http: true,
      metrics: true,
      localChain: command === 'start' && network === 'localnet',
      lite: { log, assertRunning },
    }));
    const database = await openEmbedded(settings, opened);
    assertRunning();
    const hasChainProcess = command === 'start' && (network === 'localnet' || settings.index);
    const startedAt = Date.now();
    const crew = createCrew({
      program: [fileURLToPath(workerFile('../main', import.meta.url)), 'member'],
      env: { ...env, ...(database && { DATABASE_URL: database.url }) },
      greeting: {
        command,
        workers,
        startedAt,
        pageSecret: randomBytes(32).toString('base64'),
        hasChainProcess,
      },
      onOutput: destination?.write,
      isStopping: shutdown.stopping,
      log,
    });
    shutdown.add('process of the chain', () => crew.stop('chain'));
    shutdown.add('workers', () => crew.stop('worker'));
    keepRates(crew);
    keepBudgets(crew);
    keepSlots(crew);
    keepTraces(crew, { ...PENDING_LIMITS, maxEntries: settings.pendingLimit });
    keepChain(crew);
    const renderMetrics = keepMetrics(crew, opened);
    keepDashboard(crew, { settings, opened, startedAt });
    const door = createDoor({
      crew,
      host,
      port,
      setting: 'PORT',
      perAddress: trustProxy === false ? connectionsOfAddress(settings, workers) : undefined,
      onRefused: () => metrics.refused('connections'),
    });
    shutdown.onDrain(() => crew.tellAll('drain'));

    const chain = hasChainProcess ? await crew.keep({ kind: 'chain', number: 1 }) : undefined;
    assertRunning();
    // Alone, so that it finds or makes what all of them need.
    const first = await crew.keep({ kind: 'worker', number: 1 });
    // From here on the data directory has data of this network.
    withdraw = undefined;
    assertRunning();
    const others = Array.from({ length: workers - 1 }, (_, at) =>
      crew.keep({ kind: 'worker', number: at + 2 }),
    );
    await Promise.all(others);
    assertRunning();
    await startMetricsServer({ ...opened, metrics: { ...metrics, render: renderMetrics } }, settings);
    shutdown.add('port', door.close);
    const url = await door.listen();
    log.info({ url }, 'tongate is ready');
    await flushLog(log);
    if (command === 'start')
      out.write(
        bannerText(url, settings, {
          ...({ ...first, ...chain } as unknown as StartedParts),
          embeddedAt: database?.location,
        }),
      );
  } catch (error) {
    await endFailedStart(opened, error, withdraw);
  }
}

/** How many connections one address may have to all workers together. */
function connectionsOfAddress({ maxConnections, webhookRequests }: Settings, workers: number): number {
  const wanted = maxConnections === 'auto' ? undefined : maxConnections;
  return connectionsPerAddress(workers * affordableConnections(wanted, webhookRequests, workers));
}

/** The PostgreSQL in `DATA_DIR`, which all processes use. */
async function openEmbedded({ databaseUrl, dataDir }: Settings, { log, shutdown }: OpenProcess) {
  if (databaseUrl !== undefined) return undefined;
  const starting = startEmbeddedPostgres({ dataDir, log });
  shutdown.add('database', async () => (await starting.catch(() => undefined))?.stop());
  return starting;
}

/** Sums the metrics of all processes; returns the function that makes the page. */
function keepMetrics(crew: Crew, { metrics }: OpenProcess): () => Promise<string> {
  const ended: ProcessMetrics[] = [];
  const last = keepLast<ProcessMetrics>(crew, 'processMetrics', (read) => ended.push(read.filter(isCounted)));
  createWorkerMetrics(metrics.registry).observe(() => ({ workers: crew.ready('worker').length }));

  async function render(): Promise<string> {
    await waitAtMost(
      METRICS_MS,
      Promise.all([...crew.ready('worker'), ...crew.ready('chain')].map((member) => last.ask(member))),
    );
    const own = await metrics.registry.getMetricsAsJSON();
    const page = await sumMetrics([...last.all(), ...ended, own]);
    const count = ended.length;
    if (count > 1) ended.splice(0, count, await sumCounters(ended.slice(0, count)));
    return page;
  }

  const shared = new SingleFlight<string>();
  const renderShared = () => shared.run('metrics', render);
  crew.onJoin((member) => {
    member.channel.on('metrics', renderShared);
    member.channel.on('lastMetrics', (read: ProcessMetrics) => last.set(member, read));
  });
  return renderShared;
}

/** The last answers of processes to a call; `onEnded` gets that of one that has ended. */
function keepLast<T>(crew: Crew, name: string, onEnded: (answer: T) => void, ...args: readonly unknown[]) {
  const last = new Map<Member, T>();
  crew.onLeave((member) => {
    const answer = last.get(member);
    last.delete(member);
    if (answer !== undefined) onEnded(answer);
  });
  return {
    all: () => [...last.values()],
    set: (member: Member, answer: T) => void last.set(member, answer),
    /** The answer before stays if there is none. */
    async ask(member: Member): Promise<void> {
      const answer = await member.channel.call<T>(name, ...args).catch(() => undefined);
      if (answer !== undefined && crew.has(member)) last.set(member, answer);
    },
  };
}

interface DashboardOptions {
  readonly settings: Settings;
  readonly opened: OpenProcess;
  readonly startedAt: number;
}

/** The dashboard of all workers. */
function keepDashboard(crew: Crew, { settings, opened: { shutdown }, startedAt }: DashboardOptions): void {
  let ended: readonly Figures[] = [];
  let figures = NO_FIGURES;
  const addEnded = (read: Figures): void => {
    ended = [sumFigures([...ended, read], [])!];
  };
  const last = keepLast<Figures>(crew, 'figures', addEnded, true);

  async function askAll(): Promise<void> {
    await waitAtMost(FIGURES_MS, Promise.all(crew.ready('worker').map((member) => last.ask(member))));
    figures = sumFigures(last.all(), ended) ?? figures;
  }

  const timer = setInterval(() => void askAll(), FIGURES_MS).unref();
  shutdown.add('figures', () => clearInterval(timer));
  const dashboard = startDashboard({
    settings,
    shutdown,
    version: packageVersion(),
    uptimeSeconds: () => (Date.now() - startedAt) / 1000,
    read: () => figures,
  });
  crew.onJoin(({ channel }) => {
    channel.on('dashboardSummary', dashboard.summary);
    channel.on('dashboardDetails', dashboard.details);
  });
}
