/** What goes wrong in a picture: in the demo CRM, on the device, in what it has stored. Each is a step (`steps.ts`). */
import type { Page } from '@playwright/test'
import { press } from './steps.ts'

type Step = (page: Page) => Promise<void>

/** A record in one of the page's own databases. */
const put =
  (database: string, store: string, key: string | null, value: unknown): Step =>
  (page) =>
    page.evaluate(
      async ([name, table, at, row]) => {
        // opened before the app has made it, it would be an empty one for good
        while (!(await indexedDB.databases()).some((known) => known.name === name))
          await new Promise(requestAnimationFrame)
        await new Promise<void>((done, failed) => {
          const opening = indexedDB.open(name)
          opening.addEventListener('error', () => failed(opening.error))
          opening.addEventListener('success', () => {
            const writing = opening.result.transaction(table, 'readwrite')
            writing.objectStore(table).put(row, at ?? undefined)
            writing.addEventListener('complete', () => {
              opening.result.close()
              done()
            })
          })
        })
      },
      [database, store, key, value] as const,
    )

/** The demo CRM refuses every new emergency report. */
export const refuseEmergencies = put('genba-demo-crm', 'entries', null, {
  key: 'faults',
  value: [
    {
      id: 'refusal',
      kind: 'status',
      status: 400,
      path: 'emergencyReport/$',
      method: 'POST',
      count: 'always',
    },
  ],
})

/** The demo CRM takes its time with new notes. */
export const slowNotes = put('genba-demo-crm', 'entries', null, {
  key: 'faults',
  value: [
    { id: 'slow', kind: 'delay', ms: 8_000, path: 'noteLocationArea/$', method: 'POST', count: 'always' },
  ],
})

/** The demo CRM tells more than is taken, and the app asks for all of it anew. */
export const longAnswers: Step = async (page) => {
  await put('genba-demo-crm', 'entries', null, {
    key: 'faults',
    value: [
      {
        id: 'long',
        kind: 'status',
        status: 200,
        path: 'noteLocationArea/',
        method: 'GET',
        count: 'always',
        body: ['長'.repeat(6_000)],
      },
    ],
  })(page)
  await press('データを今すぐ更新')(page)
}

/** Nothing more can be written on this device. */
export const deviceIsFull: Step = (page) =>
  page.evaluate(() => {
    const full = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    Object.assign(IDBObjectStore.prototype, { put: full, add: full })
  })

/** With the page goes what kept it from writing. */
export const deviceHasRoom: Step = async (page) => void (await page.reload())

/** What a migration of a later version of the app writes down, made or taken away. */
const laterVersion =
  (isThere: boolean): Step =>
  async (page) => {
    await page.evaluate(async (there) => {
      const names = (await indexedDB.databases()).flatMap(({ name = [] }) => name)
      const user = names.map((name) => /^rxdb-dexie-(genba-.*?)--/.exec(name)?.[1]).find(Boolean)
      const name = `${user}--layout`
      if (!there) return void indexedDB.deleteDatabase(name)
      const opening = indexedDB.open(name, 1)
      opening.addEventListener('upgradeneeded', () =>
        opening.result.createObjectStore('layout').put({ versions: { lookups: 9 }, leftovers: [] }, 'valid'),
      )
      await new Promise((done) => opening.addEventListener('success', done))
      opening.result.close()
    }, isThere)
    await page.reload()
  }

/** A later version of the app was here; then it was not. */
export const newerStores = laterVersion(true)
export const sameStores = laterVersion(false)

/** The demo CRM does not answer. */
export const unreachable = put('genba-demo-crm', 'entries', null, {
  key: 'faults',
  value: [{ id: 'unreachable', kind: 'unreachable', path: '.', count: 'always' }],
})

/** An error in the log that is kept on this device. */
export const anError: Step = async (page) => {
  const parts = ['message', 'stack', 'response', 'screen', 'user', 'agent']
  const entry = Object.fromEntries(parts.map((part) => [part, `${part} of an error`]))
  await put('genba-diagnostics', 'values', 'error  ', [
    { ...entry, id: 'one', at: new Date().toISOString() },
  ])(page)
  await page.reload()
}

/** Nothing goes wrong any more. */
export const lineIsQuick = put('genba-demo-crm', 'entries', null, { key: 'faults', value: [] })
