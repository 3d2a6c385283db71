/** The checklists for each type of safety measure, and the common items (spec 3). Legal sources: decisions/forms. */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { SafetyType } from '#schemas/codes.ts'
import type { SafetyTypeCode } from '#data/resources/safety-measures.ts'

export interface Checklist {
  heading: MessageDescriptor
  items: readonly MessageDescriptor[]
}

const { underPit, standingParking, height, oxygen, entanglement } = SafetyType.code

const thirdParties: Checklist = {
  heading: msg`第三者対策`,
  items: [
    msg`作業区画をカラーコーンとバーで囲った`,
    msg`「作業中・立入禁止」の表示を見やすい位置に出した`,
    msg`通行人の通路を幅1m以上確保した`,
    msg`車両の動線と作業区画を分けた`,
    msg`開口部のまわりに転落防止柵を設置した`,
    msg`ふたを開けている間、開口部に監視人を配置した`,
    msg`外したふたを、倒れず通行の妨げにならない場所に置いた`,
    msg`工具・資材・ホースを作業区画の外に置いていない`,
    msg`暗い場所では、区画と開口部を保安灯で照らした`,
    msg`ぬれて滑りやすい床に滑り止めをした`,
    msg`管理室へ作業の場所と時間を連絡した`,
    msg`ふたを開けたまま離れないことを全員で確認した`,
    msg`作業後にふたのがたつきを確認する人を決めた`,
  ],
}

const pitWorkers: Checklist = {
  heading: msg`作業者対策`,
  items: [
    msg`入る直前に、酸素18%以上・硫化水素10ppm以下を測定で確認した`,
    msg`送風機で換気を続けている`,
    msg`排水と汚水の流入を止めた`,
    msg`はしごが動かないように固定した`,
    msg`墜落制止用器具を着け、フックの取付け先を決めた`,
    msg`地上に監視人を置き、合図を決めた`,
    msg`一人でピットに入らないことを全員で確認した`,
  ],
}

const standingParkingMeasures: Checklist = {
  heading: msg`立駐機の対策`,
  items: [
    msg`管理者へ利用を止める時間を連絡した`,
    msg`入出庫口に「作業中・使用禁止」の表示を出した`,
    msg`入出庫口を囲い、第三者が入れないようにした`,
    msg`装置の中に人と車両が残っていないことを目で確認した`,
    msg`主電源を切り、起動装置に錠をかけた`,
    msg`操作盤に「操作禁止」の札を付けた`,
    msg`パレットと搬器を落下防止の固定具で支えた`,
    msg`昇降路とピットの開口部で墜落を防ぐ措置をした`,
    msg`試運転を始める合図と、操作する人を決めた`,
  ],
}

const heightMeasures: Checklist = {
  heading: msg`高所の対策`,
  items: [
    msg`高さ2m以上の場所に、手すりのある作業床か墜落制止用器具の取付設備を用意した`,
    msg`墜落制止用器具を使う前に、傷みがないことを点検した`,
    msg`墜落制止用器具のフックを腰より高い位置に掛けた`,
    msg`はしごを固定し、脚立の開き止めを掛けた`,
    msg`工具に落下防止のひもを付けた`,
    msg`作業する場所の真下を立入禁止にした`,
    msg`強風・大雨・大雪で危険になるおそれがないことを確認した`,
  ],
}

const oxygenMeasures: Checklist = {
  heading: msg`酸欠の対策`,
  items: [
    msg`酸素欠乏危険作業主任者を決め、その指揮で作業する`,
    msg`作業者の全員が特別教育を受けている`,
    msg`作業を始める前に、酸素18%以上・硫化水素10ppm以下を測定して記録した`,
    msg`作業が終わるまで換気を続ける準備をした`,
    msg`外に監視人を置き、入る人と出る人の数を数えている`,
    msg`空気呼吸器と救助用のロープを、すぐ使える場所に置いた`,
  ],
}

const entanglementMeasures: Checklist = {
  heading: msg`巻き込まれの対策`,
  items: [
    msg`機械を止め、主電源を切った`,
    msg`起動装置に錠をかけ、「操作禁止」の札を付けた`,
    msg`惰性や残った圧力による動きが止まったことを確認した`,
    msg`回転軸・ベルト・歯車の覆いに欠けや外れがないことを確認した`,
    msg`袖口・ひも・髪など、巻き込まれるものをまとめた`,
    msg`試運転を始める合図と、離れる位置を全員で確認した`,
  ],
}

export const checklists: Readonly<Record<SafetyTypeCode, readonly Checklist[]>> = {
  [underPit]: [thirdParties, pitWorkers],
  [standingParking]: [standingParkingMeasures],
  [height]: [heightMeasures],
  [oxygen]: [oxygenMeasures],
  [entanglement]: [entanglementMeasures],
}

export const commonChecks: Checklist = {
  heading: msg`共通の対策`,
  items: [
    msg`対策を1つずつ撮影した`,
    msg`作業する場所の照明を確保した`,
    msg`ヘルメット・手袋・安全靴を着用した`,
  ],
}

/** The index in `checks` of the item that only a recorded measurement ticks, by safety type. */
export const recordedCheck: Partial<Readonly<Record<SafetyTypeCode, number>>> = { [oxygen]: 2 }
