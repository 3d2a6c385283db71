/** Which read of the CRM leaves next (RULES PL9, OR4; decisions/scheduler). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { READS_AT_ONCE } from '#schemas/limits.ts'
import {
  withStarted,
  createReadQueue,
  EMPTY_QUEUE,
  withQueued,
  withoutRead,
  nextRead,
  PLACES,
  PRIORITIES,
  type Read,
  type ReadPriority,
  type ReadQueue,
} from '#sync/scheduler/read-queue.ts'

type Priorities = (asked: ReadPriority) => ReadPriority

/** A read comes, or the n-th of those running ends. */
const act = fc.oneof(
  fc.constantFrom(...PRIORITIES).map((priority) => ({ kind: 'comes' as const, priority })),
  fc.nat(9).map((which) => ({ kind: 'ends' as const, which })),
)
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

interface Moment {
  queue: ReadQueue
  /** As they were asked for, whatever the queue made of them. */
  asked: ReadonlyMap<number, ReadPriority>
  started: readonly Read[]
}

/** Every state that the acts lead to. @param as what the queue takes a read for */
function momentsOf(acts: readonly Act[], as: Priorities = (asked) => asked): Moment[] {
  let queue = EMPTY_QUEUE
  const asked = new Map<number, ReadPriority>()
  const started: Read[] = []
  return acts.map((one) => {
    if (one.kind === 'comes') {
      asked.set(asked.size, one.priority)
      queue = withQueued(queue, { id: asked.size - 1, priority: as(one.priority) })
    } else queue = withoutRead(queue, queue.running[one.which % Math.max(1, queue.running.length)]?.id ?? -1)
    for (let next = nextRead(queue); next; next = nextRead(queue)) {
      queue = withStarted(queue, next)
      started.push(next)
    }
    return { queue, asked: new Map(asked), started: [...started] }
  })
}

const asAsked = ({ queue, asked }: Moment, of: 'waiting' | 'running') =>
  queue[of].map(({ id }) => asked.get(id))
const count = (priorities: readonly unknown[], ...wanted: ReadPriority[]) =>
  priorities.filter((one) => wanted.includes(one as ReadPriority)).length

const laws = {
  // the figures of the rule, not those of the code
  'never more than the places of a kind and of all below it': (moment: Moment) => {
    const running = asAsked(moment, 'running')
    return (
      count(running, 'background') <= 2 &&
      count(running, 'window', 'background') <= 3 &&
      count(running, 'screen', 'window', 'background') <= 4
    )
  },
  'what is sent never waits': (moment: Moment) => count(asAsked(moment, 'waiting'), 'send') === 0,
  'a screen waits only for screens, and for at most what ran before': (moment: Moment) =>
    count(asAsked(moment, 'waiting'), 'screen') === 0 ||
    count(asAsked(moment, 'running'), 'screen', 'window', 'background') === READS_AT_ONCE,
  'nobody waits while the others are idle': (moment: Moment) =>
    moment.queue.waiting.length === 0 ||
    count(asAsked(moment, 'running'), 'screen', 'window', 'background') >= 2,
  'first come first served within a kind': ({ started, asked }: Moment) =>
    PRIORITIES.every((priority) => {
      const ids = started.filter(({ id }) => asked.get(id) === priority).map(({ id }) => id)
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

  test('what nobody wants any more does not leave, and takes no place', async () => {
    const queue = createReadQueue({ ...PLACES, screen: 1 })
    const began: string[] = []
    let end = () => {}
    const first = queue({ priority: 'screen' }, () => new Promise<void>((resolve) => (end = resolve)))
    const controller = new AbortController()
    const run = (name: string) => async () => void began.push(name)
    const dropped = queue({ priority: 'screen', signal: controller.signal }, run('dropped'))
    const third = queue({ priority: 'screen' }, run('third'))
    controller.abort()
    await expect(dropped).rejects.toThrow('abort')
    end()
    await Promise.all([first, third])
    expect(began).toEqual(['third'])
  })
})
