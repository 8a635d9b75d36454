import { useGet } from '../api/use-call.ts';
import { usePages } from '../api/use-pages.ts';
import type { components } from '../api/v3.d.ts';
import type { PageProps } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { Address } from '../show/address.tsx';
import { formatTon, Ton } from '../show/amount.tsx';
import { Hash, shortened } from '../show/hash.tsx';
import { MoreButton } from '../show/more-button.tsx';
import { Badge, Empty, Facts, Loaded, PageTitle, Panel, ScrollRegion } from '../show/panel.tsx';
import { formatShare } from '../show/share.ts';
import { Tabs } from '../show/tabs.tsx';
import { Ago, formatSpan, Time } from '../show/time.tsx';

type Cycle = components['schemas']['ValidatorCycle'];
type Election = components['schemas']['ValidatorElection'];
type Complaint = components['schemas']['ValidatorComplaint'];

const PAGE_ROWS = 25;
/** The end of a set that stays until there is another one. */
const MAX_TIME = 4_294_967_295;

/** Who validates the network, and how they were elected. */
export function Page({ query }: PageProps) {
  return (
    <>
      <PageTitle kind="Validators">of {serverInfo.value.network}</PageTitle>
      <Tabs
        label="Parts of validation"
        first={query.get('tab')}
        tabs={[
          { id: 'set', name: 'Validators', show: () => <NewestSet /> },
          { id: 'elections', name: 'Elections', show: () => <Elections /> },
          { id: 'complaints', name: 'Complaints', show: () => <Complaints /> },
        ]}
      />
    </>
  );
}

function NewestSet() {
  const call = useGet('/api/v3/validators/cycles', { return_validators: true, limit: 1, sort: 'desc' });
  return (
    <Loaded call={call}>
      {({ cycles: [cycle] }) =>
        cycle === undefined ? (
          <Panel title="Validators">
            <Empty>The index has not seen a validator set yet.</Empty>
          </Panel>
        ) : (
          <>
            <Panel title="Newest set">
              <Facts facts={factsOf(cycle)} />
            </Panel>
            <Members cycle={cycle} />
          </>
        )
      }
    </Loaded>
  );
}

function factsOf(cycle: Cycle) {
  const { cycle_start: start, cycle_end: end } = cycle;
  return [
    ['From', <Time at={start} />],
    ['Until', end === MAX_TIME ? 'the next set' : <Time at={end} />],
    ['Validators', `${cycle.total}, ${cycle.main} of them in the masterchain`],
    ['Total stake', cycle.total_stake && <Ton nano={cycle.total_stake} />],
    ['Least stake', cycle.min_stake && <Ton nano={cycle.min_stake} />],
    ['Greatest stake', cycle.max_stake && <Ton nano={cycle.max_stake} />],
    ['Elected for', formatSpan(cycle.validators_elected_for)],
    ['Stakes are held for', formatSpan(cycle.stake_held_for)],
  ] as const;
}

function Members({ cycle: { validators = [], total_weight: total } }: { readonly cycle: Cycle }) {
  return (
    <Panel title="Members" count={validators.length}>
      {validators.length === 0 ? (
        <Empty>The members of this set are not known.</Empty>
      ) : (
        <ScrollRegion name="Table of validators">
          <table>
            <thead>
              <tr>
                <th class="number rank">Index</th>
                <th>Stake of</th>
                <th class="number">Stake, TON</th>
                <th class="number">Weight</th>
                <th>Public key</th>
                <th>ADNL address</th>
              </tr>
            </thead>
            <tbody>
              {validators.map((one) => (
                <tr key={one.validator_pubkey}>
                  <td class="number">{one.validator_index}</td>
                  <td>
                    {one.stake_holder_address === undefined ? (
                      <span class="muted">unknown</span>
                    ) : (
                      <Address address={one.stake_holder_address} />
                    )}{' '}
                    {one.complaints.length > 0 && <Badge kind="warn">accused</Badge>}
                  </td>
                  <td class="number">{one.stake === undefined ? '–' : formatTon(one.stake)}</td>
                  <td class="number">{formatShare(one.weight, total)}</td>
                  <td>
                    <Hash value={one.validator_pubkey} name="public key" />
                  </td>
                  <td>
                    {/^0+$/.test(one.adnl_addr) ? '–' : <Hash value={one.adnl_addr} name="ADNL address" />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Panel>
  );
}

function Elections() {
  const pages = usePages('/api/v3/validators/elections', {
    query: { limit: PAGE_ROWS, sort: 'desc' },
    rowsOf: ({ elections }) => elections,
    keyOf: (election) => String(election.election_id),
  });
  return (
    <Panel title="Elections">
      <Loaded call={pages}>
        {(elections) =>
          elections.length === 0 ? (
            <Empty>The index has not seen an election.</Empty>
          ) : (
            <>
              <ScrollRegion name="Table of elections">
                <table>
                  <thead>
                    <tr>
                      <th>Election</th>
                      <th>State</th>
                      <th class="number">Candidates</th>
                      <th class="number">Stakes, TON</th>
                      <th class="number">Least stake, TON</th>
                      <th class="number">Closes</th>
                    </tr>
                  </thead>
                  <tbody>
                    {elections.map((election) => (
                      <tr key={election.election_id}>
                        <td>{election.election_id}</td>
                        <td>
                          <ElectionState election={election} />
                        </td>
                        <td class="number">{election.total_participants}</td>
                        <td class="number">{formatTon(election.total_stake)}</td>
                        <td class="number">{formatTon(election.min_stake)}</td>
                        <td class="number">
                          <Ago at={election.elect_close} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </ScrollRegion>
              <MoreButton pages={pages} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function ElectionState({ election: { failed, finished } }: { readonly election: Election }) {
  if (failed) return <Badge kind="bad">failed</Badge>;
  return finished ? <Badge>finished</Badge> : <Badge kind="good">open</Badge>;
}

function Complaints() {
  const pages = usePages('/api/v3/validators/complaints', {
    query: { limit: PAGE_ROWS, sort: 'desc' },
    rowsOf: ({ complaints }) => complaints,
    keyOf: (complaint) => complaint.complaint_hash,
  });
  return (
    <Panel title="Complaints">
      <Loaded call={pages}>
        {(complaints) =>
          complaints.length === 0 ? (
            <Empty>Nobody has complained about a validator, as far as the index goes back.</Empty>
          ) : (
            <>
              <ScrollRegion name="Table of complaints">
                <table>
                  <thead>
                    <tr>
                      <th>Accused</th>
                      <th>State</th>
                      <th class="number">Fine, TON</th>
                      <th class="number">Approved</th>
                      <th>Reward goes to</th>
                      <th class="number">Made</th>
                    </tr>
                  </thead>
                  <tbody>
                    {complaints.map((complaint) => (
                      <tr key={complaint.complaint_hash}>
                        <td>
                          <Accused complaint={complaint} />
                        </td>
                        <td>
                          {complaint.is_passed ? <Badge kind="bad">passed</Badge> : <Badge>voted on</Badge>}
                        </td>
                        <td class="number">{formatTon(complaint.suggested_fine)}</td>
                        <td class="number">{complaint.approved_percent.toFixed(1)} %</td>
                        <td>
                          <Address address={complaint.reward_address} />
                        </td>
                        <td class="number">
                          <Ago at={complaint.created_at} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </ScrollRegion>
              <MoreButton pages={pages} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Accused({ complaint }: { readonly complaint: Complaint }) {
  const { stake_holder_address: holder, validator_pubkey: key } = complaint;
  if (holder !== undefined) return <Address address={holder} />;
  return (
    <span class="hash" title={key}>
      {shortened(key)}
    </span>
  );
}
