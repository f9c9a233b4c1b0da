import { plainLetter } from '#lib/domain/inbox/absence/return-words'

/** Folds a text to plain letters on one line. */
export const foldLine = (text: string) => Array.from(text, plainLetter).join('').replaceAll('\n', ' ')

// Phrases for being away, without accents and in lower case.
export const AWAY = [
  "out of office|out of the office|out of my office|away from|i am away|i am out|i am currently out|i am currently away|i will be out|i will be away|be out of|on leave|annual leave|parental leave|maternity leave|paternity leave|sick leave|on vacation|on holiday|on annual|on parental|limited access to|away until|vacation|ooo|i'm away|i'm out|i'm currently out|i'm currently away|i'm off|i am off work|sabbatical|at a conference|business trip|i am travelling|i am traveling",
  'nicht im buro|nicht im haus|abwesen|im urlaub|in urlaub|auser haus|in elternzeit|nicht erreichbar|nicht am arbeitsplatz|auf dienstreise|mutterschutz|krankheitsbedingt|betriebsurlaub|betriebsferien|elternzeit|dienstreise',
  "absence du bureau|je suis absent|serai absent|absent du bureau|absente du bureau|en conge|en vacances|message d'absence|suis absent|actuellement absent|conge maternite|de retour le",
  'fuera de la oficina|fuera de oficina|de vacaciones|estoy ausente|estare ausente|estare fuera|estoy fuera|ausencia|de baja|de viaje',
  'fuori sede|fuori ufficio|in ferie|sono assente|saro assente|assenza|in maternita',
  'niet op kantoor|afwezig|met vakantie|op vakantie|met verlof|niet aanwezig',
  'fora do escritorio|de ferias|estou ausente|estarei ausente|ausencia|ausente do escrit',
  'pa semester|inte pa kontoret|franvar|tjanstledig|foraldraledig|ar ledig',
  'holder ferie|pa ferie|ikke til stede|ikke pa kontoret|fravaer|barsel|har fri',
  'lomalla|poissa|en ole tavoitettavissa|vapaalla',
  'na urlopie|na zwolnieniu|poza biurem|nieobecn|przebywam na',
  'mimo kancelar|nepritomn|na dovolene|dovolenou|mimo kancelarie|na dovolenke',
  'szabadsagon|nem vagyok az iroda|tavol vagyok|hazon kivul',
  'in concediu|nu sunt la birou|lipsesc',
  'меня нет|в отпуске|вне офиса|отсутству|нет на работе',
  'у відпустці|поза офісом|відсутн|у вiдпустцi',
  'в отпуск|извън офиса|отсъств',
  'εκτος γραφειου|σε αδεια|απουσιαζω|θα απουσιασω',
  'ofiste degil|ofis disinda|izindeyim|yillik izin|tatildeyim',
  'מחוץ למשרד|בחופשה|לא במשרד|נעדר',
  'خارج المكتب|في اجازة|اجازة',
  '不在|休暇|休み|夏季休業',
  '休假|休年假|外出|不在办公室|不在辦公室|出差',
  '부재|휴가|자리를 비',
  'sedang cuti|sedang dinas|di luar kantor|khong co mat|nghi phep|ลาพักร้อน',
].flatMap((phrases) => foldLine(phrases).split('|'))

/** Words that may stand between such a phrase and the day it applies to: "I am out *all day* on Monday". */
export const ON_IT =
  'for during all whole entire day this next coming from work office i am ich bin je suis estoy sono ik ben estou jag jestem war je serai heute pendant durante wahrend auf la toute toda tutta hele die dieser dieses diese der den uw im in an um at a en em esta este questa deze cette pour une duree de los dias period of days'.split(
    ' ',
  )
