import { within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { blankProgress } from '#schemas/changes/change-queue.ts'
import { FILES_REFUSED } from '#schemas/changes/photo-queue.ts'
import { FiguresScreen } from '#features/settings/figures-screen.tsx'
import { FIGURES, type Figure, type FigureName } from '#lib/field-figures.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'

const figure = (name: FigureName, value: number, at = '2026-11-20T02:00:00.000Z'): Figure => ({
  id: crypto.randomUUID(),
  name,
  value,
  unit: FIGURES[name].unit,
  at,
  route: '/request',
})
const PHOTO = {
  ...{
    key: 'p1',
    resource: 'noteLocationAreas',
    recordKey: 'n1',
    requestId: '1',
    workingDate: '',
    name: 'p1.jpg',
  },
  ...{ placeInfo: '', createDate: '', size: 1, type: 'image/jpeg' as const, wanted: 'kept' as const },
  ...{ fileSeq: '', folderId: '', storeName: '', bytesAsked: 'no' as const, stamp: '1' },
  ...blankProgress(''),
  ...{ savedAt: '2026-11-20T00:00:00.000Z', userId: 'u6', offline: false },
}

const open = (figures: Figure[]) =>
  renderFeature(<FiguresScreen />, { path: '/settings/figures', services: { figures: async () => figures } })

describe('[screens] 動作状況', () => {
  test('[OC10] why the next calls wait is shown with its time', async () => {
    const until = '2026-11-20T01:32:00.000Z'
    const { screen } = await renderFeature(<FiguresScreen />, {
      path: '/settings/figures',
      services: {
        figures: async () => [],
        waits: async () => [
          { api: 'crm', reason: 'retry-after', until },
          { api: 'files', reason: 'offline', until: '' },
        ],
      },
    })
    const waits = await screen.findByRole('list')
    expect(
      within(waits)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['CRM：待つように応答がありました（10:32まで）', '写真の保管先：電波がありません'])
  })

  test('each figure says its median, what three of four and nearly all are within, and whether that is good', async () => {
    const saves = [40, 60, 80, 1_240].map((value) => figure('app:save', value))
    const { screen } = await open([
      ...saves,
      figure('app:save', 50, '2026-11-18T00:00:00.000Z'),
      figure('app:search', 2_000),
      figure('CLS', 0.2),
      figure('sync:round', 12_000),
    ])
    const row = async (label: RegExp) => {
      const term = await screen.findByText(label)
      return within(term.parentElement ?? term).getByRole('definition').textContent
    }
    expect(await row(/^保存を押してから/)).toBe(
      '4回に3回は0.08秒以内 良い真ん中は0.06秒、100回に98回は1.24秒以内5回測定（最近24時間は4回）',
    )
    expect(await row(/^検索の条件/)).toContain('2.00秒以内 遅い')
    expect(await row(/画面のずれ/)).toContain('0.20以内 やや大きい')
    expect(await row(/^最新のデータの確認/)).toContain('12秒以内 やや遅い')
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      '画面の速さ',
      'CRMとの通信',
    ])
    expect(screen.queryByText(/電波が戻ってから/)).toBeNull()
  })

  test('nothing was measured yet, or it cannot be read', async () => {
    expect(await (await open([])).screen.findByText('まだ測定していません')).toBeDefined()
  })

  test('[C16] photos that wait because the file store takes no token say so by name', async () => {
    const db = await openTestDatabase()
    await db.photos.insert({ ...PHOTO, unsent: 'yes', status: 401, reasons: [FILES_REFUSED] })
    const services = { figures: async () => [] }
    const { screen } = await renderFeature(<FiguresScreen />, { path: '/settings/figures', services, db })
    expect(await screen.findByText(/^ファイル保管が認証を受け付けていません/)).toBeDefined()
  })
})
