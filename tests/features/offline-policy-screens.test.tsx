import { describe, expect, test } from 'vitest'
import {
  isOffered,
  maySave,
  offlinePolicy,
  type FormAction,
  type FormSlug,
} from '#data/changes/offline-policy.ts'
import { QuickReportViewScreen } from '#features/quick-report/quick-report-view-screen.tsx'
import { CONTACT, LOCATION, storeContact, storeLocation } from '../support/change-records.ts'
import { renderFeature } from '../support/render-feature.tsx'
import { confirmed } from '../support/safety-records.ts'
import { ENTERED, reportOn, requestOn } from '../support/visit-records.ts'
import { openChange } from './customer-location-change-request/open-change.tsx'
import * as emergency from './emergency-report/open-emergency.tsx'
import { kinds, openContact } from './location-contact-change-request/open-contact.tsx'
import * as notes from './note-location-area/open-notes.tsx'
import * as reports from './quick-report/open-report.tsx'
import { DAY, openView, whole } from './request/detail/open-view.tsx'
import * as safety from './safety-measure/open-safety.tsx'

type Opened = Pick<Awaited<ReturnType<typeof renderFeature>>, 'screen' | 'user'>
interface Row {
  /** The screen that leads to the form, and whether it does. */
  way: (online: boolean) => Promise<Opened>
  isThere: (opened: Opened) => Promise<boolean>
  /** The form, without a signal. */
  form: () => Promise<Opened>
}

/** A link by its name; one that is closed says why. What the screen shows besides says that it was drawn. */
const link = (name: string | RegExp, besides: string | RegExp) => async (opened: Opened) => {
  await opened.screen.findAllByText(besides)
  const found = opened.screen.getByRole('link', { name })
  if (found.getAttribute('aria-disabled') !== 'true') return found.getAttribute('href') !== null
  expect(found.getAttribute('href')).toBeNull()
  expect(found.tabIndex).toBe(0)
  const reason = document.getElementById(found.getAttribute('aria-describedby') ?? '')
  expect(reason?.textContent).toBe('オフライン中は登録・編集できません')
  return false
}

const [entry] = kinds
const open = { requests: [requestOn('1', DAY, { ...whole, inLocationContactChangeStatus: '1' })] }
const entered = { ...open, reports: [reportOn('1', { inTime: ENTERED })] }
const location = {
  fill: (db: Parameters<typeof storeLocation>[0]) => storeLocation(db, { server: LOCATION }),
}
const contact = {
  fill: (db: Parameters<typeof storeContact>[0]) => storeContact(db, '02', { server: CONTACT }),
}
const oneNote = { notes: [notes.note('n1')] }

async function openReport(online: boolean) {
  const parts = await reports.prepare({ reports: [reportOn('1', reports.exited)], online })
  return renderFeature(<QuickReportViewScreen id="q-1" />, {
    path: '/quickReport/$id',
    href: '/quickReport/q-1',
    ...parts,
  })
}

const rows: Record<FormSlug, Record<FormAction, Row>> = {
  quickReport: {
    add: {
      way: (online) => openView({ ...entered, online }),
      isThere: link('退館報告', '変更依頼・現場メモ'),
      form: () => reports.openAdd({ online: false }),
    },
    edit: {
      way: openReport,
      isThere: link('編集', '作業区分'),
      form: () => reports.openEdit(reports.exited, { online: false }),
    },
  },
  safetyMeasure: {
    add: {
      way: (online) => safety.openSelect({ online }),
      async isThere({ screen, user }) {
        await user.click(await screen.findByRole('button', { name: /^酸欠/ }))
        return screen.queryByRole('button', { name: '要' }) !== null
      },
      form: () => safety.openAdd('4', { online: false }),
    },
    edit: {
      way: (online) => safety.openMeasure('s-4', { measures: [confirmed('4')], online }),
      isThere: link('編集', '要否'),
      form: () => safety.openEdit('s-4', { measures: [confirmed('4')], online: false }),
    },
  },
  emergencyReport: {
    add: {
      way: (online) => emergency.openList({ online }),
      isThere: link('新規登録', '依頼検索へ戻る'),
      form: () => emergency.openAdd({ online: false }),
    },
    edit: {
      way: (online) => emergency.openList({ reports: [emergency.reportIn('e1')], online }),
      isThere: link('編集', '対応日'),
      form: () => emergency.openEdit('e1', { reports: [emergency.reportIn('e1')], online: false }),
    },
  },
  customerLocationChangeRequest: {
    add: {
      way: (online) => openView({ ...open, online }),
      isThere: link(/^入館・駐車場情報変更依頼/, '変更依頼・現場メモ'),
      form: () => openChange('add', { online: false }),
    },
    edit: {
      way: (online) => openChange('view', { ...location, online }),
      isThere: link('編集', '入館方法'),
      form: () => openChange('edit', { ...location, online: false }),
    },
  },
  locationContactChangeRequest: {
    add: {
      way: (online) => openView({ ...open, online }),
      isThere: link(/^入館連絡先変更依頼/, '変更依頼・現場メモ'),
      form: () => openContact('add', entry, { online: false }),
    },
    edit: {
      way: (online) => openContact('view', entry, { ...contact, online }),
      isThere: link('編集', '入館連絡先名'),
      form: () => openContact('edit', entry, { ...contact, online: false }),
    },
  },
  noteLocationArea: {
    add: {
      way: (online) => notes.openList({ ...oneNote, online }),
      isThere: link('追加', 'メモ n1'),
      form: () => notes.openAdd({ online: false }),
    },
    edit: {
      way: (online) => notes.openList({ ...oneNote, online }),
      isThere: link('編集', 'メモ n1'),
      form: () => notes.openEdit('n1', { ...oneNote, online: false }),
    },
  },
}

const table = Object.keys(offlinePolicy).flatMap((slug) =>
  (['add', 'edit'] as const).map((action) => [slug as FormSlug, action] as const),
)

describe('[spec 4] the table of what one may do without a signal, on its screens', () => {
  test.each(table)('%s %s: the way to the form online', async (slug, action) => {
    const { way, isThere } = rows[slug][action]
    expect(await isThere(await way(true))).toBe(true)
  })

  test.each(table)(
    '[decisions/screens] %s %s: the way to the form offline, open or disabled with its reason',
    async (slug, action) => {
      const { way, isThere } = rows[slug][action]
      expect(await isThere(await way(false))).toBe(isOffered(slug, action, false))
    },
  )

  test.each(table)('%s %s: the open form says what its save does offline', async (slug, action) => {
    const { screen } = await rows[slug][action].form()
    const [queued, refused] = [
      '電波がないため、端末に保存して後で送信します',
      '電波がないため、編集を保存できません',
    ]
    const isQueued = maySave(slug, action, false)
    expect(await screen.findByText(isQueued ? queued : refused)).toBeTruthy()
    expect(screen.queryByText(isQueued ? refused : queued)).toBeNull()
  })
})
