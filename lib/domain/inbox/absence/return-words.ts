// Words in lower case without accents. Unless stated otherwise, each stands for every word that begins with
// it.

/** Month names in the languages of absence notices. If several fit, the longest counts. */
export const MONTHS: readonly (readonly string[])[] = [
  'jan gen ene sty janv tammik led sausi ian январ янв січ януар ιανουαρ ocak ינואר בינואר بناير يناير',
  'feb fev lut fevr helmik uno feber феврал фев лют φεβρουαρ subat פברואר בפברואר فبراير',
  'mar mrt maer maar mrz maaliskuu brez marcius март мар берез μαρτ מרץ במרץ مارس',
  'apr avr abr kwi huhtik dub aprilis апрел апр квіт απριλ nisan אפריל באפריל ابريل',
  'may mai maj mag mei mayo maio toukok kvet majus мая маи трав μαι מאי במאי مايو',
  'jun juin giu cze kesak cerven iun июн черв ιουν haziran יוני ביוני يونيو',
  'jul juil lug lipc lipi heinak cervenec cervence iul июл лип ιουλ temmuz יולי ביולי يوليو',
  'aug aou ago sierp elok srp август авг серп αυγουστ agustos אוגוסט באוגוסט اغسطس',
  'sep set wrz syysk zari szept септ верес вересн σεπτεμβρ eylul ספטמבר בספטמבר سبتمبر',
  'oct okt ott outu paz lokak rij октяб окт жовт οκτωβρ ekim אוקטובר באוקטובר اكتوبر',
  'nov listop marrask noiem ноябр нояб листоп νοεμβρ kasim נובמבר בנובמבר نوفمبر',
  'dec dez dic gru des jouluk prosin декаб дек груд δεκεμβρ aralik דצמבר בדצמבר ديسمبر',
].map((names) => names.split(' '))

/** Whole words, starting with Sunday. */
export const WEEKDAYS: readonly (readonly string[])[] = [
  'sunday sonntag dimanche domingo domenica zondag sondag niedziela sunnuntai sunnuntaina nedele vasarnap duminica воскресенье воскресенья неділя pazar minggu',
  'monday montag lundi lunes lunedi maandag segunda mandag poniedzialek poniedzialku maanantai maanantaina pondeli pondelok pondelka hetfo hetfon hetfoig luni понедельник понедельника понеділок понеділка pazartesi senin',
  'tuesday dienstag mardi martes martedi dinsdag terca tisdag tirsdag wtorek wtorku tiistai tiistaina utery uterka utorok utorka kedd kedden marti вторник вторника вівторок sali selasa',
  'wednesday mittwoch mercredi miercoles mercoledi woensdag quarta onsdag sroda srody keskiviikko keskiviikkona streda stredy szerda szerdan miercuri среда среды среду середа carsamba rabu',
  'thursday donnerstag jeudi jueves giovedi donderdag quinta torsdag czwartek czwartku torstai torstaina ctvrtek ctvrtka stvrtok stvrtka csutortok joi четверг четверга четвер persembe kamis',
  'friday freitag vendredi viernes venerdi vrijdag sexta fredag piatek piatku perjantai perjantaina patek patku piatok piatka pentek pentekig vineri пятница пятницы пятницу cuma jumat',
  'saturday samstag samedi sabado sabato zaterdag lordag sobota soboty szombat sambata lauantai lauantaina суббота субботы cumartesi',
].map((names) => names.split(' '))

const list = (words: string) => words.split(' ')

/** Words for the day on which the person is back. */
export const BACK = list(
  'back return resum zuruck wieder ruckkehr retour rentr reven revien reprend regres reincorpor reintegr vuelv vuelt volver volto volta rientr torn nuovamente terug retorn retom ater aterkom tillbaka tilbage tilbake wrac wroc powrot zpet vrat spat верн возвр поверн выхожу выиду επιστρε donec donus visszat vissza revin intorc palaa takaisin kembali אחזור חוזר אשוב בחזרה ساعود اعود العودة',
)
/** Words for being reachable again: the day after "from" is then the day of return. */
export const THERE = list(
  'back again avail reach wieder zuruck erreichbar disponib joignab terug weer bereikbaar return ater tillbaka tilbage tilbake rientr torn volt operativ снова znow dostepn zpet',
)
/** Words for the last day away. */
export const UNTIL = list('until jusqu hasta saakka einschl inkl inclus hingga sampai μεχρι kadar')
/** The same, but whole words, since other words begin with them. */
export const UNTIL_WHOLE = list('till thru through bis fino ate asti tot tm pana εως до עד حتى')
/** Abbreviated weekdays before a date. */
const SHORT_WEEKDAYS = list(
  'mon tue tues wed thu thur thurs fri sat sun mo di mi do fr sa so lun mar mer jeu ven sam dim gio mie jue vie dom seg ter qua qui sex sab man tir ons tor fre lor pn pon wt sr czw pt pia пн вт ср чт пт',
)
/** Also mean the last day away, if only an article or a weekday comes between them and the day. */
export const TO = list('to til al au do a al met alla ao aos по')
/** Words for the start of an absence or an availability. */
export const FROM = list(
  'from ab vom von since seit depuis desde dal dalla del van vanaf od fran fra с від starting',
)
export const FILLERS = list(
  'the le la el il lo l den dem der zum zu and und en e et og och med on am op including inclusive inclusief inclusivo incluido compris y com with dia d del o dnia pe data hari tanggal',
).concat(SHORT_WEEKDAYS)
export const NEXT_WEEK = list(
  'next nachste nachsten nachster prochaine proxima prossima volgende nasta naeste przyszlym',
)
export const WEEK = list('week woche semaine semana settimana vecka uge uke tygodniu')
export const TODAY = list('today heute aujourd oggi hoy vandaag hoje idag dzis dzisiaj сегодня сьогодні')
export const TOMORROW = list('tomorrow morgen demain manana domani amanha imorgon imorgen jutro завтра')
/** The first day of a month, in words. */
export const FIRST = list('first ersten premier primero primo primeiro pierwszego')
/** Words counted in "2-3 weeks", so the numbers are no date. */
export const COUNTED = list(
  'minute minutes minuten min mins hour hours hrs h stunde stunden std heure heures hora horas ora ore uur timer timmar tunti tuntia godzin godziny hodin hodiny ora orat часа часов saat',
).concat(
  list(
    'day days tag tage tagen jour jours dia dias giorno giorni dag dage dagar dager dagen paiva paivaa paivan dni dnia dny dnu nap napon zi zile дн дня днеи дні днів ημερες ημερων gun gunu gunde',
  ),
  list(
    'werktage werktagen arbeitstage arbeitstagen werkdag werkdagen arbetsdag arbetsdagar arbejdsdag arbejdsdage arbeidsdager virkedager vardagar hverdage hverdager arkipaivan arkipaivaa munkanap munkanapon',
  ),
  list(
    'week weeks wk wks woche wochen semaine semaines semana semanas settimana settimane weken vecka veckor uge uger uke uker viikko viikkoa viikon tygodni tygodnie tydnu tydny het heten saptamani недели недель тижні тижнів εβδομαδες hafta haftaya',
  ),
  list(
    'month months monat monate monaten mois mes meses mese mesi maand maanden manad manader maned maneder kuukautta miesiace miesiecy mesice mesicu honap luni месяца месяцев місяці місяців μηνες ay',
  ),
  list(
    'year years jahr jahre jahren an ans annees ano anos anni jaar ar vuotta lata let ev ani года лет yil',
  ),
)
/** Words that may stand between the number and what it counts. */
export const COUNTED_AS = list(
  'business working work calendar bank full whole more further volle vollen ganze ganzen weitere weiteren bonnes prochains proximos hele more is roboczych robocze pracovnich pracovni рабочих робочих',
)
/** Words for a time of day, so the number is no day. */
export const HOURS = list('uhr h am pm hrs hours heures')

// Letters that are not an accented form of another letter.
const PLAIN: Readonly<Record<string, string>> = { ı: 'i', ø: 'o', ł: 'l', đ: 'd', ß: 's', '’': "'" }

/**
 * A character in lower case without accents. Hangul syllables are kept, since decomposition would split them.
 */
export function plainLetter(char: string): string {
  if (char <= '~') return char.toLowerCase()
  if (char >= '가' && char <= '힣') return char
  const plain = char.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  return PLAIN[plain] ?? plain
}
