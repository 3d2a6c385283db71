/** Which read of the CRM leaves next (RULES PL9, OR4; decisions/scheduler). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { READS_AT_ONCE } from '#schemas/limits.ts'
import { PRIORITIES, type ReadPriority, type Schedule } from '#sync/scheduler/schedule.ts'
import { newScheduler, steppedSchedule } from '../../support/scheduler.ts'

type Priorities = (asked: ReadPriority) => ReadPriority

/** A read comes, or the n-th of those running ends. */
const act = fc.oneof(
  fc.constantFrom(...PRIORITIES).map((priority) => ({ kind: 'comes' as const, priority })),
  fc.nat(9).map((which) => ({ kind: 'ends' as const, which })),
)
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

interface Moment {
  schedule: Schedule
  /** As they were asked for, whatever the schedule made of them. */
  asked: ReadonlyMap<number, ReadPriority>
  /** Ids in the order of their beginning. */
  started: readonly number[]
}

/** Every state that the acts lead to. @param as what the schedule takes a read for */
function momentsOf(acts: readonly Act[], as: Priorities = (asked) => asked): Moment[] {
  const stepped = steppedSchedule()
  const asked = new Map<number, ReadPriority>()
  return acts.map((one) => {
    if (one.kind === 'comes') {
      const id = asked.size + 1
      asked.set(id, one.priority)
      stepped.arrive(String(id), { priority: as(one.priority) })
    } else {
      const { reading } = stepped.schedule
      stepped.remove(reading[one.which % Math.max(1, reading.length)]?.id ?? -1)
    }
    return { schedule: stepped.schedule, asked: new Map(asked), started: stepped.admitted.map(Number) }
  })
}

const asAsked = ({ schedule, asked }: Moment, of: 'waiting' | 'reading') =>
  schedule[of].map(({ id }) => asked.get(id))
const count = (priorities: readonly unknown[], ...wanted: ReadPriority[]) =>
  priorities.filter((one) => wanted.includes(one as ReadPriority)).length

const laws = {
  // the figures of the rule, not those of the code
  'never more than the places of a kind and of all below it': (moment: Moment) => {
    const running = asAsked(moment, 'reading')
    return (
      count(running, 'background') <= 2 &&
      count(running, 'window', 'background') <= 3 &&
      count(running, 'screen', 'window', 'background') <= 4
    )
  },
  'what is sent never waits': (moment: Moment) => count(asAsked(moment, 'waiting'), 'send') === 0,
  'a screen waits only for screens, and for at most what ran before': (moment: Moment) =>
    count(asAsked(moment, 'waiting'), 'screen') === 0 ||
    count(asAsked(moment, 'reading'), 'screen', 'window', 'background') === READS_AT_ONCE,
  'nobody waits while the others are idle': (moment: Moment) =>
    moment.schedule.waiting.length === 0 ||
    count(asAsked(moment, 'reading'), 'screen', 'window', 'background') >= 2,
  'first come first served within a kind': ({ started, asked }: Moment) =>
    PRIORITIES.every((priority) => {
      const ids = started.filter((id) => asked.get(id) === priority)
      return ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? -1))
    }),
}

/** A law that some acts break, where there is one. */
const broken = (law: (moment: Moment) => boolean, as?: Priorities) =>
  fc.check(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => momentsOf(acts, as).every(law)),
    { numRuns: 500 },
  ).failed

describe('[PL9][OR4] the queue of reads', () => {
  test.each(Object.entries(laws))('%s', (_, law) => {
    expect(broken(law)).toBe(false)
  })

  test.each<[string, Priorities, (keyof typeof laws)[]]>([
    [
      'the read before a PUT goes with those that nobody waits for',
      (asked) => (asked === 'send' ? 'background' : asked),
      ['what is sent never waits'],
    ],
    [
      'first come first served for all',
      () => 'screen',
      ['never more than the places of a kind and of all below it', 'what is sent never waits'],
    ],
  ])('a defect is found: %s', (_, as, found) => {
    for (const law of found) expect(broken(laws[law], as)).toBe(true)
  })

  test('of those that may begin, the most urgent begins first', () => {
    const stepped = steppedSchedule()
    const [first = 0] = Array.from({ length: READS_AT_ONCE }, () =>
      stepped.arrive('first', { priority: 'screen' }),
    )
    for (const priority of ['background', 'window', 'screen'] as const) stepped.arrive(priority, { priority })
    stepped.remove(first)
    expect(stepped.admitted.at(-1)).toBe('screen')
  })

  test('what nobody wants any more does not leave, and takes no place', async () => {
    const { read } = newScheduler()
    const began: string[] = []
    const ends: (() => void)[] = []
    const first = Array.from({ length: READS_AT_ONCE }, () =>
      read({ priority: 'screen' }, () => new Promise<void>((resolve) => ends.push(resolve))),
    )
    await Promise.resolve()
    const controller = new AbortController()
    const run = (name: string) => async () => void began.push(name)
    const dropped = read({ priority: 'screen', signal: controller.signal }, run('dropped'))
    const third = read({ priority: 'screen' }, run('third'))
    controller.abort()
    await expect(dropped).rejects.toThrow('abort')
    for (const end of ends) end()
    await Promise.all([...first, third])
    expect(began).toEqual(['third'])
  })
})
