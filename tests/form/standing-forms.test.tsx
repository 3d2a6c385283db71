/**
 * A form that stands is not taken out of the hands: whatever becomes of its record or its request meanwhile, what was typed
 * stays in sight and can be saved. Each form × what may happen beneath it.
 */
import { act, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import type { PushableRecord } from '#schemas/change.ts'
import type { Database } from '#data/database/database.ts'
import type { Services } from '#data/context/app-context.tsx'
import { dependentsOf } from '#sync/retention/expiry.ts'
import { atRest } from '../support/at-rest.ts'
import { CONTACT } from '../support/change-records.ts'
import { nearMidnight } from '../support/near-midnight.ts'
import { openTestDatabase, renderFeature, testValue } from '../support/render-feature.tsx'
import { reportOn, requestOn, storeVisits } from '../support/visit-records.ts'
import { adds, DAY, exited, inCrm, type FormCase, waiting } from './every-form.tsx'
import { storeView, storeFacts, viewsIn } from '../support/stored-views.ts'

/** The collections of records that forms edit. */
const COLLECTIONS = [
  'quickReports',
  'emergencyReports',
  'safetyMeasures',
  'customerLocationChangeRequests',
  'locationContactChangeRequests',
  'noteLocationAreas',
] as const

const open = {
  locationAreaId: 'a1',
  inLocationContact: CONTACT,
  inLocationContactChangeStatus: '1',
  customerLocationChangeStatus: '1',
}

const AS_IT_WAS = { isThere: true, isAsTyped: true, canBeSaved: true, isHere: true }

async function typeInto(
  { ui, path, href, label, fill }: FormCase,
  services: Partial<Services> = {},
  requests = [requestOn('1', DAY, open)],
) {
  const db = await openTestDatabase()
  await storeVisits(db, requests)
  await fill?.(db)
  const opened = await renderFeature(ui, { path, href, db, services })
  const { screen, user } = opened
  const first =
    label === undefined ? (await screen.findAllByRole('checkbox'))[0] : await screen.findByLabelText(label)
  if (!first) throw new Error('nothing to type into')
  if (label === undefined) await user.click(first)
  else await user.type(first, '追記')
  const typed = () =>
    first instanceof HTMLInputElement && label === undefined ? first.checked : valueOf(first)
  const before = typed()
  const formNow = async () => {
    await act(() => atRest(150))
    return {
      isThere: first.isConnected,
      isAsTyped: typed() === before,
      canBeSaved: screen.queryByRole('button', { name: '保存' }) !== null,
      isHere: opened.href() === href,
    }
  }
  return { ...opened, db, formNow }
}

const valueOf = (field: HTMLElement) =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : ''

const removed = (db: Database, names: readonly (typeof COLLECTIONS)[number][]) =>
  act(async () => {
    for (const name of names) await db[name].find().remove()
  })

const named = (forms: readonly FormCase[]) => forms.map((form) => [form.form, form] as const)

describe('[hands] a form stays where it is and as it is', () => {
  test.each(named([...adds, ...inCrm, ...waiting]))(
    '%s: its request leaves the device, without a signal',
    async (_, form) => {
      const { db, formNow } = await typeInto(form, { online: testValue(false) })
      await act(async () => void (await db.requests.find().remove()))
      expect(await formNow()).toEqual(AS_IT_WAS)
    },
  )

  test.each(named([...adds, ...inCrm]))(
    '%s: the CRM has neither its request nor its record any more',
    async (_, form) => {
      const { db, formNow } = await typeInto(form)
      const answered = { state: 'missing' as const, answeredAt: `${DAY}T03:00:01.000Z` }
      await act(async () => {
        await db.requests.find().remove()
        for (const doc of await db.interests.find().exec()) await doc.incrementalPatch(answered)
      })
      await removed(db, COLLECTIONS)
      expect(await formNow()).toEqual(AS_IT_WAS)
      await act(async () => {
        for (const doc of await db.interests.find().exec()) await doc.incrementalPatch(answered)
      })
      expect(await formNow()).toEqual(AS_IT_WAS)
    },
  )

  test.each(named([...inCrm, ...waiting]))(
    '%s: opened without its request, which is asked for once there is a signal',
    async (_, form) => {
      const online = testValue(false)
      const { formNow } = await typeInto(form, { online }, [])
      act(() => online.set(true))
      expect(await formNow()).toEqual(AS_IT_WAS)
    },
  )

  test.each(named(waiting))('%s: what it corrects is refused', async (_, form) => {
    const { db, formNow } = await typeInto(form)
    await refuse(db)
    expect(await formNow()).toEqual(AS_IT_WAS)
  })

  test('退館報告編集: the row tells what its content does not say yet, without a signal', async () => {
    const [form] = inCrm.slice(-1)
    if (!form) throw new Error('no form')
    const { db, formNow } = await typeInto(form, { online: testValue(false) })
    const told = reportOn('1', { ...exited, editStatus: 'OK', detailed: false, stamp: '2' })
    await act(() => storeView(db, 'quickReports', told))
    expect(await formNow()).toEqual(AS_IT_WAS)
  })

  test.each(named([...adds, ...inCrm].filter(({ path }) => /Change|emergency/.test(path))))(
    '%s: midnight',
    async (_, form) => {
      const { clock, pass } = nearMidnight()
      const { formNow } = await typeInto(form, { clock })
      await pass()
      expect(await formNow()).toEqual(AS_IT_WAS)
    },
  )
})

/** The CRM refuses what waits. */
async function refuse(db: Database) {
  await act(async () => {
    for (const resource of COLLECTIONS)
      for (const doc of await viewsIn(db, resource)) {
        const record = doc as PushableRecord
        const [change] = record.changes
        if (change)
          await storeFacts(db, {
            ...blankFacts({ record: { resource, ...record }, change }),
            state: 'refused',
            reasons: ['ec00003'],
            status: 400,
          })
      }
  })
}

test.each([
  ['入館・駐車場情報変更依頼編集', 'create'],
  ['入館連絡先変更依頼編集', 'create'],
  ['緊急報告編集', 'create'],
  ['現場メモ編集', 'create'],
  ['退館報告編集', 'exit'],
])('[OR3] %s: what was refused meanwhile is saved anew, with what was typed', async (name, kind) => {
  const form = waiting.find(({ form: each }) => each === name)
  if (!form) throw new Error('no form')
  const { db, screen, user } = await typeInto(form)
  await refuse(db)
  await user.click(screen.getByRole('button', { name: '保存' }))
  const last = async () => {
    const views = await Promise.all(COLLECTIONS.map((each) => viewsIn(db, each)))
    return views
      .flat()
      .flatMap((view) => view.changes as PushableRecord['changes'])
      .at(-1)
  }
  await waitFor(async () => expect(JSON.stringify(await last())).toContain('追記'))
  expect((await last())?.kind).toBe(kind)
})

test.each(named([...adds, ...inCrm]))('[EX1] %s: what is typed holds its request', async (_, form) => {
  const { db } = await typeInto(form)
  await waitFor(async () => expect(await db.drafts.find().exec()).toHaveLength(1))
  const { onRequest } = await dependentsOf(db)
  expect(onRequest({ id: '1', workingDate: DAY })).toBe(true)
})
