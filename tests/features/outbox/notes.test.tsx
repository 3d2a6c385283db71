import { waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import type { StoredState } from '#schemas/change.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { requestOn } from '../../support/visit-records.ts'
import { DAY, note, unsentNote } from '../note-location-area/open-notes.tsx'
import { storeFacts, storeView } from '../../support/stored-views.ts'

/** A note that the CRM has, edited here. */
const editedNote = (): NoteRecord => {
  const { changes } = unsentNote('直した')
  const edits = changes.map((change) => ({ ...change, kind: 'edit' as const }))
  return note('n1', {}, { unsent: 'yes', changes: edits })
}

async function openOutbox(record: NoteRecord, state: StoredState) {
  const db = await openTestDatabase()
  await db.requests.insert(requestOn('1', DAY))
  await storeView(db, 'noteLocationAreas', record)
  const [change] = record.changes
  if (!change) throw new Error('nothing was saved')
  const item = { record: { resource: 'noteLocationAreas', ...record }, change }
  await storeFacts(db, { ...blankFacts(item), state })
  return renderFeature(<OutboxScreen />, { path: '/outbox', db })
}

describe('[SV2] 内容を開く of 現場メモ: its own form, whatever became of it', () => {
  test.each<[name: string, record: NoteRecord, state: StoredState, path: string]>([
    ['現場メモ登録', unsentNote('新しい'), 'waiting', '/noteLocationArea/change-1/edit'],
    ['現場メモ登録', unsentNote('新しい'), 'refused', '/noteLocationArea/change-1/edit'],
    ['現場メモ登録', unsentNote('新しい'), 'expired', '/noteLocationArea/change-1/edit'],
    ['現場メモ編集', editedNote(), 'waiting', '/noteLocationArea/n1/edit'],
    ['現場メモ編集', editedNote(), 'refused', '/noteLocationArea/n1/edit'],
  ])('%s, %#', async (name, record, state, path) => {
    const { screen, user, href } = await openOutbox(record, state)
    const job = await screen.findByRole('article', { name })
    expect(job.textContent).toContain('R26-1')
    // what is in the record stays out of the list
    expect(job.textContent).not.toContain(record.changes[0]?.fields.note)
    await user.click(within(job).getByRole('button', { name: '内容を開く' }))
    await waitFor(() => expect(href()).toBe(path))
  })
})
