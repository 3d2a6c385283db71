/** What the benches' CRM knows: rows as it sends them in a search, made up of nothing but their number. */

const DAY_MS = 86_400_000

/** The working day of row `i`: fifteen days from yesterday on, or those from today on. */
const dayOf = (i, now) => new Date(now + 9 * 3_600_000 + ((i % 15) - 1) * DAY_MS).toISOString().slice(0, 10)

/** Rows from yesterday on, as the CRM sends them in a search. */
export function requestRows(count, now) {
  return Array.from({ length: count }, (_, i) => {
    const day = dayOf(i, now)
    const at = (hour) => `${day}T${String(hour).padStart(2, '0')}:00:00+09:00`
    return {
      id: `bench-${i}`,
      requestCode: `R26-${String(i).padStart(6, '0')}`,
      workingDate: day,
      workingDateType: '1',
      workingStartTime: at(8 + (i % 9)),
      workingEndTime: at(9 + (i % 9)),
      situation: '排水ポンプ1号機が起動せず、満水警報が2回発報。2号機のみで運転中です。'.repeat(4),
      messageTts: '防災センターで鍵を受け取ってから入館してください。台車は搬入口Bから。'.repeat(4),
      inLocationContact: { name: '防災センター', tel1: '03-5550-0000' },
      outLocationContact: { name: '防災センター', tel1: '03-5550-0000' },
      safetyStatus: '1',
      safetyDirectionName: '地下ピット;酸欠',
      noteLocationAreaCount: 3,
      quickReport: null,
      ttsOrder: {
        orderFlag: String((i % 5) + 1),
        emergencyFlag: i % 20 === 0 ? '1' : null,
        parkingType: '1',
        parkingMethod: '搬入口B横の2番',
        inMethod: '防災センターで受付後、鍵を受け取る',
        locationArea: { id: `area-${i % 300}`, name: `ベイサイド東雲 ${i % 300}号棟 地下ピット` },
        customer: {
          name: 'ベイサイド東雲 管理組合',
          prefectureName: '東京都',
          city: '江東区',
          address1: '東雲1-9-14',
        },
        salesMearge: { name: '高橋 直人' },
      },
    }
  })
}

/** What the single read adds to row `i`. */
export const detailOfRow = (i) => ({
  goods: [
    {
      id: `goods-${i}`,
      name: '排水ポンプ',
      goodsDetail: ['1号機', '2号機', '制御盤'].map((itemName, at) => ({
        id: `item-${i}-${at}`,
        itemName,
        quantity: '1',
        model: `DSP-${at}50`,
      })),
    },
  ],
  device: [{ deviceId: `device-${i % 600}`, deviceModel: 'DSP-50', site1: '地下2階', site2: 'ピット' }],
  safety: [],
  underPitSurvey: [],
})
