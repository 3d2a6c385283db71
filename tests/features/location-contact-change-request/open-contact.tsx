import { emptyContent } from '#schemas/declare/form-values.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { locationContactChangeRequest } from '#schemas/resources/location-contact-change-request.ts'
import type { Contact, RequestRecord } from '#schemas/resources/request.ts'
import type { Database } from '#data/database/database.ts'
import {
  ContactAddScreen,
  ContactEditScreen,
} from '#features/location-contact-change-request/contact-form-screens.tsx'
import { ContactViewScreen } from '#features/location-contact-change-request/contact-view-screen.tsx'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { requestOn, storeVisits } from '../../support/visit-records.ts'

interface Options {
  request?: Partial<RequestRecord>
  online?: boolean
  fill?: (db: Database) => Promise<unknown>
}

/** A contact of which the request says nothing yet. */
const BLANK: Contact = emptyContent(locationContactChangeRequest)

/** A request that has both contacts, and no change request for them. */
const open: Partial<RequestRecord> = {
  inLocationContact: BLANK,
  outLocationContact: BLANK,
  inLocationContactChangeStatus: '1',
  outLocationContactChangeStatus: '1',
}

export const kinds = [
  { contactType: '02', type: 'type1', role: '入館連絡先' },
  { contactType: '03', type: 'type2', role: '退館連絡先' },
] as const
export type Kind = (typeof kinds)[number]

const screens = {
  add: {
    ui: ({ contactType }: Kind) => <ContactAddScreen requestId="1" contactType={contactType} />,
    path: '/locationContactChangeRequest/add/$requestId/$type',
    href: ({ type }: Kind) => `/locationContactChangeRequest/add/1/${type}`,
  },
  edit: {
    ui: ({ contactType }: Kind) => <ContactEditScreen id={`k${contactType}`} contactType={contactType} />,
    path: '/locationContactChangeRequest/$id/edit/$type',
    href: ({ contactType, type }: Kind) => `/locationContactChangeRequest/k${contactType}/edit/${type}`,
  },
  view: {
    ui: ({ contactType }: Kind) => <ContactViewScreen id={`k${contactType}`} contactType={contactType} />,
    path: '/locationContactChangeRequest/$id/$type',
    href: ({ contactType, type }: Kind) => `/locationContactChangeRequest/k${contactType}/${type}`,
  },
} as const

/** A screen of request 1, whose change requests the CRM knows as `k02` and `k03`. */
export async function openContact(
  which: keyof typeof screens,
  kind: Kind,
  { request = {}, online = true, fill }: Options = {},
) {
  const db = await openTestDatabase()
  await storeVisits(db, [requestOn('1', '2026-11-20', { ...open, ...request })])
  await fill?.(db)
  const { ui, path, href } = screens[which]
  const signal = testValue(online)
  const opened = await renderFeature(ui(kind), { path, href: href(kind), db, services: { online: signal } })
  const { screen, user, services } = opened
  const write = async (label: string, text: string) => {
    const field = await screen.findByLabelText(label)
    await user.clear(field)
    await user.click(field)
    if (text !== '') await user.paste(text)
  }
  return {
    ...opened,
    db,
    signal,
    fill: write,
    /** What is required, whichever kind it is. */
    fillRequired: async () => {
      await write(`${kind.role}名`, '防災センター')
      await write(`${kind.role}フリガナ`, 'ﾎﾞｳｻｲ')
      await write('電話番号', '03-5550-0199')
    },
    save: async () => user.click(await screen.findByRole('button', { name: '保存' })),
    saved: async () =>
      (await viewOf(db, 'locationContactChangeRequests', `1_${kind.contactType}`))?.changes.at(-1),
    flash: () => services.flash.get()[0],
  }
}
