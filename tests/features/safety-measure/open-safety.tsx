import type { ReactNode } from 'react'
import type { SendFacts } from '#schemas/change.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { safetyKey, type SafetyMeasureRecord } from '#schemas/resources/safety-measure.ts'
import type { Database } from '#data/database/database.ts'
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import { SafetyAddScreen, SafetyEditScreen } from '#features/safety-measure/safety-form-screens.tsx'
import { SafetySelectScreen } from '#features/safety-measure/safety-select-screen.tsx'
import { SafetyViewScreen } from '#features/safety-measure/safety-view-screen.tsx'
import { jpegFile } from '../../support/image-files.ts'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { requestOn, storeVisits } from '../../support/visit-records.ts'
import { DAY } from '../../support/safety-records.ts'
import { viewsIn, storeAllFacts, storeViews } from '../../support/stored-views.ts'

const request = requestOn('1', DAY, { safetyDirectionName: '地下ピット;酸欠', safetyStatus: '1' })

interface Options {
  requests?: readonly RequestRecord[]
  measures?: readonly SafetyMeasureRecord[]
  progress?: readonly SendFacts[]
  online?: boolean
  /** An earlier page of the same phone. */
  again?: { db: Database; bytes: PhotoBytesTable | null }
}

type Path = NonNullable<Parameters<typeof renderFeature>[1]>['path']

async function open(ui: ReactNode, path: Path, href: string, options: Options) {
  const { requests = [request], measures = [], progress = [], online = true, again } = options
  const db = again?.db ?? (await openTestDatabase())
  if (!again) {
    await storeVisits(db, requests)
    await storeViews(db, 'safetyMeasures', [...measures])
    await storeAllFacts(db, [...progress])
  }
  const opened = await renderFeature(ui, {
    ...(path && { path }),
    href,
    db,
    ...(again && { bytes: again.bytes }),
    services: { online: testValue(online) },
  })
  const { screen, user, services } = opened
  return {
    ...opened,
    db,
    flash: () => services.flash.get()[0],
    press: async (name: string | RegExp) => user.click(await screen.findByRole('button', { name })),
    saved: async (type: string) =>
      (await viewsIn(db, 'safetyMeasures', { key: safetyKey('1', DAY, type) })).at(0),
    photos: async () => (await db.photos.find().exec()).map((doc) => doc.toMutableJSON()),
    tickAll: async () => {
      await screen.findByRole('button', { name: '保存' })
      for (const box of screen.getAllByRole<HTMLInputElement>('checkbox'))
        if (!box.checked) await user.click(box)
    },
    addPhoto: async () => {
      const picture = new File([jpegFile()], 'pit.jpg', { type: 'image/jpeg', lastModified: 0 })
      await user.upload(await screen.findByLabelText('写真を追加'), picture)
      await screen.findByRole('button', { name: /pit\.jpgを削除/ })
    },
  }
}

interface SelectQuery {
  workingDate?: string | undefined
  workingDateType?: string | undefined
  safetyType?: string
}

export const openSelect = (options: Options = {}, over: SelectQuery = {}) =>
  open(
    <SafetySelectScreen requestId="1" {...{ workingDate: DAY, workingDateType: '1', ...over }} />,
    '/safetyMeasure/select/$requestId',
    '/safetyMeasure/select/1',
    options,
  )

export const openAdd = (safetyType: string, options: Options = {}, over: { workingDate?: string } = {}) =>
  open(
    <SafetyAddScreen
      query={{ requestId: '1', safetyType, workingDateType: '1', workingDate: DAY, ...over }}
    />,
    '/safetyMeasure/add',
    '/safetyMeasure/add',
    options,
  )

export const openEdit = (id: string, options: Options = {}) =>
  open(<SafetyEditScreen id={id} />, '/safetyMeasure/$id/edit', `/safetyMeasure/${id}/edit`, options)

export const openMeasure = (id: string, options: Options = {}) =>
  open(<SafetyViewScreen id={id} />, '/safetyMeasure/$id', `/safetyMeasure/${id}`, options)
