/** The pictures of sheets, of marks on a photo, of 作業報告書 and of the codes. */
import { expect, type Page } from '@playwright/test'
import { addNote, addSafety, free, type Demo, type Shot } from './demo.ts'
import * as step from './steps.ts'

const GAS = /^酸素・硫化水素濃度測定記録/
const KY = /^KY活動表/
/** 酸欠, which is measured. */
const measured = (demo: Demo) => addSafety(demo).replace('safetyType=1', 'safetyType=4')

/** An arrow over the picture. */
const drawArrow = async (page: Page) => {
  // A press in the first moment is refused.
  await expect(page.locator('dialog[open]')).not.toHaveAttribute('data-guarded')
  const canvas = page.getByRole('application')
  const box = await canvas.boundingBox()
  if (!box) throw new Error('no picture')
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.5, { steps: 4 })
  await page.mouse.up()
}

/** Waits for a text, and until the popup accepts a press. */
const drawn = (text: RegExp) => async (page: Page) => {
  await expect(page.getByText(text).first()).toBeVisible({ timeout: 30_000 })
  await expect(page.locator('dialog[data-guarded]')).toHaveCount(0)
}

const signed = async (page: Page) => {
  await expect(page.locator('dialog[open]')).not.toHaveAttribute('data-guarded')
  const pad = page.getByRole('img', { name: /^署名欄/ })
  await pad.scrollIntoViewIfNeeded()
  const box = await pad.boundingBox()
  if (!box) throw new Error('no field')
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const
  await page.mouse.move(...at(0.2, 0.3))
  await page.mouse.down()
  for (const [x, y] of [
    [0.35, 0.7],
    [0.5, 0.25],
    [0.75, 0.6],
  ] as const)
    await page.mouse.move(...at(x, y), { steps: 5 })
  await page.mouse.up()
  await expect(page.getByRole('img', { name: '署名欄（署名あり）' })).toBeVisible()
}

export const sheetShots: readonly Shot[] = [
  { name: 'sheet-gas', heading: '酸素・硫化水素濃度測定記録', at: measured, press: [GAS] },
  {
    name: 'sheet-gas-stop',
    heading: '酸素・硫化水素濃度測定記録',
    at: measured,
    press: [GAS],
    act: step.all(step.fill('酸素（%）', '17.9'), step.fill('硫化水素（ppm）', '0.5')),
  },
  {
    name: 'sheet-gas-lower',
    heading: '酸素・硫化水素濃度測定記録',
    at: measured,
    press: [GAS],
    act: step.toEnd,
  },
  { name: 'sheet-ky', heading: 'KY活動表', at: measured, press: [KY] },
  { name: 'sheet-ky-error', heading: 'KY活動表', at: measured, press: [KY, '写真に追加'] },
  { name: 'sheet-ky-lower', heading: 'KY活動表', at: measured, press: [KY], act: step.toEnd },
  { name: 'sheet-rows-lower', heading: '安全対策登録', at: measured, act: step.toEnd },
  { name: 'request-view-measured', heading: '依頼詳細', at: free, act: step.toSection('安全対策') },
  {
    name: 'marks',
    heading: '黒板・書き込み',
    at: addNote,
    act: step.all(
      step.reloaded,
      step.takeCameraPhoto,
      step.press(/に黒板・書き込み$/),
      drawn(/^書き込み 0件/),
      drawArrow,
      drawn(/^書き込み 1件/),
    ),
  },
  {
    name: 'marks-board',
    heading: '黒板・書き込み',
    at: addNote,
    act: step.all(
      step.reloaded,
      step.press(/に黒板・書き込み$/),
      drawn(/^書き込み 1件/),
      step.switchOn('黒板'),
      step.choose('作業前'),
      step.fill('備考', '交換前の状態'),
    ),
  },
  { name: 'scan', heading: 'コードの読み取り', at: '/request', press: ['読み取り'] },
  {
    name: 'popup-report-signature',
    heading: '作業報告書',
    at: free,
    press: ['作業報告書'],
    act: step.all(step.fill('立会者名', '髙﨑 德一'), signed),
  },
  {
    name: 'popup-report-made',
    heading: '作業報告書',
    at: free,
    press: ['作業報告書'],
    act: step.all(step.press('作成'), drawn(/^作成しました/)),
  },
  {
    name: 'popup-labels-made',
    heading: '作業報告書',
    at: free,
    press: ['作業報告書'],
    act: step.all(step.press(/^この現場の機器のQRラベル/), drawn(/^作成しました/)),
  },
]
