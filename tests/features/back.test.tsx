/** 戻る leads to where one came from, whichever screen it is on: 送信状況, 設定, a banner (spec 2). */
import { act, fireEvent, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { visitKey } from '#schemas/resources/visit-key.ts'
import {
  EmergencyAddScreen,
  EmergencyEditScreen,
} from '#features/emergency-report/emergency-form-screens.tsx'
import { EmergencyListScreen } from '#features/emergency-report/emergency-list-screen.tsx'
import { ErrorLogsScreen } from '#features/error-page/error-logs-screen.tsx'
import { NoteAddScreen } from '#features/note-location-area/note-form-screens.tsx'
import { NoteListScreen } from '#features/note-location-area/note-list-screen.tsx'
import { CustomerLocationAddScreen } from '#features/customer-location-change-request/customer-location-form-screens.tsx'
import { QuickReportAddScreen } from '#features/quick-report/quick-report-add-screen.tsx'
import { QuickReportViewScreen } from '#features/quick-report/quick-report-view-screen.tsx'
import { VerifyScreen } from '#features/verify/verify-screen.tsx'
import { RequestViewScreen } from '#features/request/detail/request-view.tsx'
import { SafetyAddScreen } from '#features/safety-measure/safety-form-screens.tsx'
import { SafetySelectScreen } from '#features/safety-measure/safety-select-screen.tsx'
import { SupportScreen } from '#features/settings/support-screen.tsx'
import { openTestDatabase, renderFeature } from '../support/render-feature.tsx'
import { ENTERED, reportOn, requestOn, storeVisits } from '../support/visit-records.ts'
import { reportIn } from './emergency-report/open-emergency.tsx'
import { DAY, whole } from './request/detail/open-view.tsx'
import { storeView } from '../support/stored-views.ts'

type Path = NonNullable<NonNullable<Parameters<typeof renderFeature>[1]>['path']>

const KEY = visitKey('1', DAY)
const VISIT = { requestId: '1', workingDate: DAY }

const SCREENS: [path: Path, href: string, show: () => ReactNode][] = [
  ['/error-logs', '/error-logs', () => <ErrorLogsScreen />],
  ['/verify', '/verify', () => <VerifyScreen />],
  ['/settings/support', '/settings/support', () => <SupportScreen />],
  ['/request/$id', `/request/1?workingDate=${DAY}`, () => <RequestViewScreen id="1" workingDate={DAY} />],
  ['/emergencyReport/$id', `/emergencyReport/1?workingDate=${DAY}`, () => <EmergencyListScreen {...VISIT} />],
  ['/emergencyReport/add/$id', '/emergencyReport/add/1', () => <EmergencyAddScreen {...VISIT} />],
  ['/emergencyReport/$id/edit', '/emergencyReport/e1/edit', () => <EmergencyEditScreen id="e1" />],
  [
    '/quickReport/add/$quickReportId',
    `/quickReport/add/${KEY}`,
    () => <QuickReportAddScreen quickReportId={KEY} other={undefined} />,
  ],
  ['/quickReport/$id', `/quickReport/${KEY}`, () => <QuickReportViewScreen id={KEY} />],
  ['/noteLocationArea/add/$requestId', '/noteLocationArea/add/1', () => <NoteAddScreen requestId="1" />],
  [
    '/noteLocationArea/$otherId',
    `/noteLocationArea/1?type=1&workingDate=${DAY}`,
    () => <NoteListScreen otherId="1" search={{ type: '1', workingDate: DAY }} />,
  ],
  [
    '/customerLocationChangeRequest/add/$requestId',
    '/customerLocationChangeRequest/add/1',
    () => <CustomerLocationAddScreen requestId="1" />,
  ],
  [
    '/safetyMeasure/select/$requestId',
    `/safetyMeasure/select/1?workingDate=${DAY}&workingDateType=1`,
    () => <SafetySelectScreen {...VISIT} workingDateType="1" />,
  ],
  [
    '/safetyMeasure/add',
    `/safetyMeasure/add?requestId=1&safetyType=1&workingDate=${DAY}`,
    () => <SafetyAddScreen query={{ ...VISIT, safetyType: '1' }} />,
  ],
]

test.each(SCREENS)('[spec 2] 戻る of %s', async (path, href, show) => {
  const db = await openTestDatabase()
  await storeVisits(db, [requestOn('1', DAY, whole)], [reportOn('1', { inTime: ENTERED })])
  await storeView(db, 'emergencyReports', reportIn('e1'))
  const opened = await renderFeature(show(), { path, href: '/settings', db })
  await act(async () => opened.router.history.push('/outbox'))
  await act(async () => opened.router.history.push(href))
  fireEvent.click(await opened.screen.findByLabelText('戻る'))
  await waitFor(() => expect(opened.href()).toBe('/outbox'))
})
