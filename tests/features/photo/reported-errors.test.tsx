/** Errors of the hooks that read photos and earlier sheets: reported, except while a logout closes the database. */
import { act, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { Database } from '#data/database/database.ts'
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import { usePreviousPhotos } from '#features/photo/form-camera.tsx'
import { useRequestedPhotos } from '#features/photo/record-photos.tsx'
import { usePhotoFacts, usePhotoSource, type ShownPhoto } from '#features/photo/shown-photo.ts'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { kySheet } from '#features/sheet/sheets.ts'
import { useFillingIn } from '#features/sheet/use-sheet-picture.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'

const target = { resource: 'noteLocationAreas', recordKey: 'n1', requestId: '1', workingDate: '2026-11-20' }
const photo: ShownPhoto = {
  key: 'p1',
  name: 'a.jpg',
  takenAt: '',
  placeInfo: '',
  revision: '',
  isInFileStore: true,
  hasFailed: false,
}
const none: readonly ShownPhoto[] = []
const formPhotos = {
  items: [],
  draft: { key: 'note/add/1', target, settled: async () => undefined, ready: async () => true },
} as Partial<FormPhotos> as FormPhotos

interface Case {
  name: string
  useHook: () => unknown
  /** Makes the hook's read or write of the database fail. */
  fail: (db: Database, thrower: () => never, bytes: PhotoBytesTable) => void
}

const cases: Case[] = [
  {
    name: 'useRequestedPhotos',
    useHook: () => useRequestedPhotos(target),
    fail: (db, thrower) => vi.spyOn(db.interests, 'upsert').mockImplementation(async () => thrower()),
  },
  {
    name: 'usePhotoSource',
    useHook: () => usePhotoSource(photo, 'whole'),
    fail: (db, thrower) => vi.spyOn(db.photos, 'findOne').mockImplementation(thrower),
  },
  {
    name: 'usePhotoFacts',
    useHook: () => usePhotoFacts(photo),
    fail: (_, thrower, bytes) => vi.spyOn(bytes, 'origin').mockImplementation(async () => thrower()),
  },
  {
    name: 'usePreviousPhotos',
    useHook: () => usePreviousPhotos('1', none),
    fail: (db, thrower) => vi.spyOn(db.photos, 'findByIds').mockImplementation(thrower),
  },
  {
    name: 'useFillingIn',
    useHook: () => useFillingIn(kySheet, formPhotos),
    fail: (db, thrower) => vi.spyOn(db.drafts, 'find').mockImplementation(thrower),
  },
]

/** Renders a component with the hook, whose access to the database fails. */
async function open({ useHook, fail }: Case, isClosing: boolean) {
  const db = await openTestDatabase()
  const error = new Error('the device fails')
  const failed = vi.fn<() => never>(() => {
    if (isClosing) db.closed = true
    throw error
  })
  const Probe = () => {
    useHook()
    return null
  }
  const { services, router, bytes } = await renderFeature(<Probe />, {
    path: '/outbox',
    href: '/settings',
    db,
  })
  fail(db, failed, bytes as PhotoBytesTable)
  await act(() => router.navigate({ to: '/outbox' }))
  await waitFor(() => expect(failed).toHaveBeenCalled())
  await act(async () => new Promise((done) => void setTimeout(done, 0)))
  db.closed = false
  return { error, note: services.errorLog.note }
}

describe('a hook that fails', () => {
  test.each(cases)('$name reports the error', async (each) => {
    const { error, note } = await open(each, false)
    await waitFor(() => expect(note).toHaveBeenCalledWith(error))
  })

  test.each(cases)('$name reports nothing while a logout closes the database', async (each) => {
    const { note } = await open(each, true)
    expect(note).not.toHaveBeenCalled()
  })
})
