/** The pictures of 設定 and of the pages behind it. */
import type { Shot } from './demo.ts'
import * as step from './steps.ts'

export const settingsShots: readonly Shot[] = [
  { name: 'settings', heading: '設定', at: '/settings' },
  { name: 'settings-lower', heading: '設定', at: '/settings', act: step.toEnd },
  { name: 'settings-lock', heading: '設定', at: '/settings', act: step.toSection('画面のロック') },
  { name: 'settings-figures', heading: '動作状況', at: '/settings/figures' },
  { name: 'settings-support', heading: '支援ファイル', at: '/settings/support' },
  {
    name: 'settings-support-contents',
    heading: '支援ファイル',
    at: '/settings/support',
    act: step.all(step.switchOn('内容も含める'), step.toEnd),
  },
]
