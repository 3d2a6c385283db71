/** The pictures of banners that stay out of the way of the others: each ends what it began. */
import { addNote, type Shot } from './demo.ts'
import * as fault from './faults.ts'
import * as step from './steps.ts'

const typed = step.fill('メモ', '受水槽の鍵は管理室で借ります。')

export const bannerShots: readonly Shot[] = [
  {
    // half typed; the next one saves it
    name: 'outbox-drafts',
    heading: '送信状況',
    at: addNote,
    act: step.all(typed, step.settled, async (page) => {
      await page.goto('/outbox')
      await page.getByText('入力した文を見る').first().click()
      await step.toEnd(page)
    }),
  },
  {
    name: 'banner-sending',
    heading: '依頼詳細',
    at: addNote,
    act: step.all(fault.slowNotes, typed, step.press('保存'), step.said('保存しました。送信中です')),
    loading: true,
  },
  {
    name: 'banner-saved',
    heading: '依頼検索',
    at: '/request',
    act: step.all(fault.lineIsQuick, step.said('正常に保存されました')),
  },
  {
    name: 'banner-offline',
    heading: '依頼詳細',
    at: addNote,
    offline: true,
    unreachable: true,
    act: step.all(typed, step.press('保存'), step.said('元に戻す')),
  },
  {
    name: 'banner-full',
    heading: '現場メモ登録',
    at: addNote,
    act: step.all(fault.deviceIsFull, typed, step.press('保存'), step.said(/空き/)),
  },
  {
    name: 'popup-entry-full',
    heading: /で入館登録します。よろしいですか？$/,
    at: '/request',
    act: step.all(
      fault.deviceHasRoom,
      step.openFreeRow,
      step.askedForTime,
      fault.deviceIsFull,
      step.yes,
      step.said(/空き容量が足りません/),
    ),
  },
  {
    name: 'banner-left-out',
    heading: '設定',
    at: '/settings',
    act: step.all(fault.deviceHasRoom, fault.longAnswers, step.said('CRMの内容を一部省いています')),
  },
  {
    name: 'banner-newer',
    heading: '依頼検索',
    at: '/request',
    act: step.all(fault.lineIsQuick, fault.newerStores, step.said(/新しい版のアプリ/)),
    loading: true,
  },
  { name: 'error-logs-closed', heading: 'エラーレポート', at: '/error-logs' },
  { name: 'settings-closed', heading: '設定', at: '/settings', act: step.toEnd },
  { name: 'request-after-banners', heading: '依頼検索', at: '/request', act: fault.sameStores },
]
