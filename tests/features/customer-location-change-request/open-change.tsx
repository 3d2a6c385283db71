import type { RequestRecord } from '#schemas/resources/request.ts'
import { viewOf } from '#data/changes/record-views.ts'
import type { Database } from '#data/database/database.ts'
import {
  CustomerLocationAddScreen,
  CustomerLocationEditScreen,
} from '#features/customer-location-change-request/customer-location-form-screens.tsx'
import { CustomerLocationViewScreen } from '#features/customer-location-change-request/customer-location-view-screen.tsx'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { requestOn, storeVisits } from '../../support/visit-records.ts'

interface Options {
  request?: Partial<RequestRecord> | null
  online?: boolean
  fill?: (db: Database) => Promise<unknown>
}

const screens = {
  add: {
    ui: <CustomerLocationAddScreen requestId="1" />,
    path: '/customerLocationChangeRequest/add/$requestId',
    href: '/customerLocationChangeRequest/add/1',
  },
  edit: {
    ui: <CustomerLocationEditScreen id="c1" />,
    path: '/customerLocationChangeRequest/$id/edit',
    href: '/customerLocationChangeRequest/c1/edit',
  },
  view: {
    ui: <CustomerLocationViewScreen id="c1" />,
    path: '/customerLocationChangeRequest/$id',
    href: '/customerLocationChangeRequest/c1',
  },
} as const

/** A screen of request 1, whose change request the CRM knows as `c1`. */
export async function openChange(
  which: keyof typeof screens,
  { request = {}, online = true, fill }: Options = {},
) {
  const db = await openTestDatabase()
  if (request) {
    const over = { customerLocationChangeStatus: which === 'add' ? '1' : '2', ...request }
    await storeVisits(db, [requestOn('1', '2026-11-20', over)])
  }
  await fill?.(db)
  const { ui, ...at } = screens[which]
  const signal = testValue(online)
  const opened = await renderFeature(ui, { ...at, db, services: { online: signal } })
  const { screen, user, services } = opened
  return {
    ...opened,
    db,
    signal,
    fill: async (label: string, text: string) => {
      const field = await screen.findByLabelText(label)
      await user.clear(field)
      if (text !== '') await user.click(field).then(async () => user.paste(text))
    },
    save: async () => user.click(await screen.findByRole('button', { name: '保存' })),
    saved: async () => (await viewOf(db, 'customerLocationChangeRequests', '1'))?.changes.at(-1),
    flash: () => services.flash.get()[0],
  }
}
