/** What the tab that leads hears is told in every tab (sync RULES TB1). */
import { Subject, filter, map } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { createCrmClock } from '#app/network/crm-clock.ts'
import { shareNotices } from '#app/shell/shared-notices.ts'

const NOW = Date.parse('2026-11-20T12:00:00+09:00')
const DAY = 86_400_000
const dayAhead = { date: NOW + DAY, isCached: false, tookMs: 0 }

/** Tabs of one browser; one does not hear itself. */
function browser() {
  const words = new Subject<{ from: object; word: string }>()
  return {
    open() {
      const self = {}
      const told: string[] = []
      const crmClock = createCrmClock(() => NOW)
      const channel = {
        say: (word: string) => words.next({ from: self, word }),
        messages$: words.pipe(
          filter(({ from }) => from !== self),
          map(({ word }) => word),
        ),
      }
      const tab = shareNotices(channel, {
        storageFull: (isFull) => told.push(isFull ? 'full' : 'room'),
        truncated: () => told.push('left out'),
        crmClock,
      })
      return { ...tab, told, off: () => crmClock.readings.get()?.offMs ?? null }
    },
  }
}

describe('[TB1] a tab in line', () => {
  test.each<
    [string, (leads: ReturnType<ReturnType<typeof browser>['open']>) => void, string[], number | null]
  >([
    ['[ST4] the device is full', (leads) => leads.onStorageFull(true), ['full'], null],
    [
      '[ST4] and has room again',
      (leads) => {
        leads.onStorageFull(true)
        leads.onStorageFull(false)
      },
      ['full', 'room'],
      null,
    ],
    ['[PL11] rows were left out', (leads) => leads.onOmitted(), ['left out'], null],
    ['[spec 9] the clock is a day off', (leads) => leads.onServerTime(dayAhead), [], DAY + 500],
  ])('%s', (_, happens, told, off) => {
    const { open } = browser()
    const [leads, inLine] = [open(), open()]
    happens(leads)
    expect([leads.told, inLine.told]).toEqual([told, told])
    expect([leads.off(), inLine.off()]).toEqual([off, off])
    // one that opens later hears what stands, and the others hear nothing twice
    const later = open()
    expect([later.told, later.off()]).toEqual([told.at(-1) === 'room' ? [] : told, off])
    expect([leads.told, inLine.told]).toEqual([told, told])
  })

  test('that leads from now on: what the one before said of the room is over', () => {
    const { open } = browser()
    const [leads, inLine] = [open(), open()]
    leads.onStorageFull(true)
    leads.stop()
    inLine.onServerTime(dayAhead)
    expect(inLine.told).toEqual(['full', 'room'])
    inLine.onServerTime(dayAhead)
    expect(inLine.told).toHaveLength(2)
  })
})

test.each(['clock', 'clock x y', 'clock 1', 'ask', 'here', ''])(
  '[house 9] %j says nothing of the time',
  (word) => {
    const messages$ = new Subject<string>()
    const crmClock = createCrmClock(() => NOW)
    shareNotices({ say: () => undefined, messages$ }, { storageFull: () => undefined, crmClock })
    messages$.next(word)
    expect(crmClock.readings.get()).toBeNull()
  },
)
