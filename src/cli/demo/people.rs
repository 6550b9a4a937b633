//! The people of the demo: a cast written by hand, and a few hundred more from given and family names of many scripts. They
//! are the same at every start; only their dates depend on today.

use crate::domain::{Name, Scope, Uid};
use crate::store::SyncRow;

/// Number of generated people, besides the cast and the unusual names.
const OTHERS: usize = 297;
/// Age of the group, in days.
const AGE: i64 = 990;
/// Seconds of a day.
const DAY: i64 = 24 * 3600;

/// The leading cast: uid, name, scope, and the day they joined, counted from the group's first.
const CAST: [(&str, &str, Scope, i64); 14] = [
    ("ada", "Ada Lindqvist", Scope::Owner, 0),
    ("ben", "Ben Adeyemi", Scope::Admin, 6),
    ("chen", "陈伟", Scope::Admin, 60),
    ("noor", "نور حداد", Scope::Admin, 471),
    ("cy", "Cy Marlowe", Scope::Moderator, 12),
    ("theodora", "Θεοδώρα Παπαδάκη", Scope::Moderator, 434),
    ("seoyeon", "김서연", Scope::Moderator, 388),
    ("mariana", "Mariana Gonçalves", Scope::Moderator, 205),
    ("dee", "Dee Okafor", Scope::Participant, 240),
    ("eve", "Eve Sørensen", Scope::Participant, 665),
    ("flo", "Flo Brandt", Scope::Participant, 700),
    ("zed", "Zed Quillfeather", Scope::Participant, 512),
    ("tomas", "Tomás Herrera", Scope::Participant, 820),
    ("junichi", "高橋 純一", Scope::Participant, 604),
];

/// Names that break layouts: one letter, very long, emoji, both writing directions.
const UNUSUAL: [&str; 10] = [
    "Q",
    "李",
    "Ø",
    "Amara Kovács-Featherstonehaugh of the Lower Docks",
    "Maximiliane Wolkenstein-Trostburg zu Hohenau und Niederwassermühle am Großen Strom",
    "Ferris 🦀",
    "Lou 🌊",
    "Yael יעל Ben-David",
    "X Æ Anders",
    "O’Brien, Niamh",
];

/// The given and family names of one language, and how they form a full name.
struct Names {
    given: &'static str,
    family: &'static str,
    family_first: bool,
    separator: &'static str,
}

const fn given_first(given: &'static str, family: &'static str) -> Names {
    Names { given, family, family_first: false, separator: " " }
}

const fn family_first(given: &'static str, family: &'static str, separator: &'static str) -> Names {
    Names { given, family, family_first: true, separator }
}

const NAMES: [Names; 20] = [
    given_first(
        "Émile Zoë Björn Åse Jiří Łucja İpek Søren Núria Ștefan Žofia Márton Gwenllïan Noël Chloé Ragnhild",
        "Ångström Dvořák Müller Wiśniewska Yılmaz Ó_Ceallaigh Guðmundsdóttir Popescu Šimić García Nagy Lefèvre Brâncuși Østergaard Peña",
    ),
    given_first(
        "Olivia Marcus Priscilla Kwame Harriet Desmond Ngozi Leila Duncan Imogen Tariro Walter",
        "Ashdown Mensah Whitcombe Nwosu Pemberton Dlamini Hargreaves Kamau Sinclair Thorne Achebe",
    ),
    given_first(
        "Ανδρέας Ελένη Γιώργος Κατερίνα Νίκος Σοφία Δημήτρης Ιωάννα Στέλιος Μαρία",
        "Αντωνίου Βασιλείου Γεωργίου Κωνσταντίνου Λάμπρου Νικολαΐδης Οικονόμου Ραφτόπουλος Χατζής",
    ),
    given_first(
        "Ада Иван Светлана Михайло Оксана Юрий Дарья Богдан Людмила Артём Веселин Ђорђе",
        "Коваленко Петров Шевченко Лисенко Морозова Йорданов Стојановић Бондар Ефимова Жукова Щербак",
    ),
    given_first(
        "נועה איתן שירה יונתן תמר אביגיל דניאל מיכל עומר רות",
        "כהן לוי מזרחי פרץ ביטון אברהם פרידמן שפירא רוזן",
    ),
    given_first(
        "ليلى عمر فاطمة يوسف مريم خالد سلمى طارق هدى زينب سامي",
        "الخطيب منصور العلي بركات حمدان الشامي درويش قاسم نصار صبّاغ",
    ),
    given_first("شیرین بهرام پریسا کیوان نیلوفر داریوش گلناز", "رستمی پورنظری ژاله‌پور کاظمی یزدانی چراغی"),
    given_first(
        "विक्रम अनन्या रोहन काव्या अर्जुन प्रिया सिद्धार्थ मीरा ईशान लक्ष्मी",
        "शर्मा वर्मा त्रिपाठी कुलकर्णी जोशी श्रीवास्तव मिश्रा चतुर्वेदी द्विवेदी",
    ),
    given_first("অনিন্দিতা সৌরভ তৃষা ঋত্বিক মৌসুমী কৌশিক", "বন্দ্যোপাধ্যায় চক্রবর্তী ঘোষ সেনগুপ্ত রহমান"),
    given_first(
        "கார்த்திக் மீனாட்சி அருண் கவிதா செந்தில் யாழினி முருகன் தமிழ்ச்செல்வி",
        "சுப்பிரமணியன் இராமசாமி நடராஜன் வேலுச்சாமி பாலகிருஷ்ணன் அண்ணாமலை கந்தசாமி",
    ),
    given_first("สมชาย กัญญา ณัฐพล พิมพ์ชนก ธีรศักดิ์ อรุณี ศิริพร วรวุฒิ", "ศรีสุข วงศ์สวัสดิ์ แก้วมณี บุญมา ทองดี จันทร์เพ็ญ รัตนกุล"),
    family_first(
        "秀英 建国 雨桐 志强 晓燕 子涵 国栋 思源 婷婷 俊杰 美玲 文博",
        "王 李 张 刘 杨 黄 赵 吴 周 欧阳 林",
        "",
    ),
    family_first(
        "さくら 健太 陽菜 翔 美咲 大輔 結衣 拓也 ひかり 蓮",
        "佐藤 鈴木 田中 渡辺 山本 小林 斎藤 菊池 長谷川",
        " ",
    ),
    family_first("민준 서연 지후 하은 도윤 수아 예준 지우 시우 유나", "김 이 박 최 정 강 조 윤 남궁", ""),
    given_first(
        "ნინო გიორგი თამარ ლევან ქეთევან დავით მარიამ ზურაბ",
        "ბერიძე კაპანაძე გელაშვილი მაისურაძე ლომიძე წიკლაური აბაშიძე",
    ),
    given_first(
        "Արամ Անահիտ Տիգրան Լուսինե Գարեգին Նարե Հայկ Սոնա",
        "Պետրոսյան Հակոբյան Սարգսյան Գրիգորյան Մանուկյան Խաչատրյան Ավետիսյան",
    ),
    given_first("አበበ ትርሲት ዳዊት ሰላማዊት ተስፋዬ ሄለን ብርሃኑ መስከረም", "ከበደ ገብረማርያም ወልደሚካኤል ታደሰ አለሙ ኃይሌ መኮንን"),
    family_first(
        "Thị_Hương Văn_Đức Minh_Châu Quốc_Bảo Thanh_Thủy Ngọc_Ánh Hữu_Phước Mỹ_Duyên",
        "Nguyễn Trần Lê Phạm Huỳnh Võ Đặng",
        " ",
    ),
    given_first("ស្រីមុំ សុភា ចាន់ថា វិចិត្រ បុប្ផា", "សុខ ចាន់ ហេង កែវ"),
    given_first("Keoni Leilani Tāne Aroha Manaia Sione", "Kahananui Te_Rangi Fa‘asavalu Kealoha Tūhoe"),
];

/// All people, as a host would sync them. `now` is in Unix seconds.
pub(super) fn everybody(now: i64) -> impl Iterator<Item = SyncRow> {
    let first = now - AGE * DAY;
    let cast =
        CAST.into_iter().map(move |(uid, name, scope, day)| row(uid.into(), name.into(), scope, first + day * DAY));
    let unusual = UNUSUAL.into_iter().map(str::to_owned);
    let others = unusual.chain((0..OTHERS).map(other)).enumerate().map(move |(at, name)| {
        // Dates are spread over the years without a visible pattern; a few are recent.
        let day = (at as i64 * 367 + 91) % (AGE - 2) + 1;
        row(format!("crew-{:03}", at + 1), name, Scope::Participant, first + day * DAY + (at as i64 * 7919) % DAY)
    });
    cast.chain(others)
}

/// The people who are online or away at the start.
pub(super) fn online_at_start(uids: &[Uid]) -> impl Iterator<Item = &Uid> {
    let cast = uids.iter().take(CAST.len()).filter(|uid| !matches!(uid.as_str(), "flo" | "zed" | "noor" | "tomas"));
    cast.chain(uids.iter().skip(CAST.len()).step_by(7)).take(48)
}

/// People who join during the simulation: uid and name, different from all others.
pub(super) fn passengers(count: usize) -> impl Iterator<Item = (Uid, String)> {
    (0..count).map(|n| {
        (format!("guest-{:02}", n + 1).parse().expect("a uid of letters, digits and a hyphen"), other(OTHERS + n))
    })
}

/// A seeded person, for the reset after a simulation.
pub(super) fn as_seeded(uid: &str, now: i64) -> Option<SyncRow> {
    everybody(now).find(|row| row.uid.as_str() == uid)
}

fn row(uid: String, name: String, scope: Scope, joined_at: i64) -> SyncRow {
    let avatar = portrait(&uid);
    SyncRow {
        uid: uid.parse().expect("a uid of letters, digits and a hyphen"),
        name: Some(Name::parse(&name).expect("a name of at most a hundred characters")),
        avatar,
        scope: Some(scope),
        joined_at: Some(joined_at),
    }
}

/// The name of the `n`th generated person. Languages alternate, and no two names are equal.
fn other(n: usize) -> String {
    let (names, turn) = (&NAMES[n % NAMES.len()], n / NAMES.len());
    let given: Vec<_> = names.given.split(' ').collect();
    let family: Vec<_> = names.family.split(' ').collect();
    // Each pass through the given names starts at the next family name.
    let (round, place) = (turn / given.len(), turn % given.len());
    let (given, family) = (given[place], family[(place + round) % family.len()]);
    let name = match names.family_first {
        true => format!("{family}{}{given}", names.separator),
        false => format!("{given}{}{family}", names.separator),
    };
    // An underscore stands for the space in a name of two words.
    name.replace('_', " ")
}

/// A generated portrait for some people; the others show their initials.
fn portrait(uid: &str) -> Option<String> {
    const SKIN: [&str; 5] = ["f2cdb0", "d9a47c", "b57b52", "8a5a3c", "5f3b26"];
    const HAIR: [&str; 5] = ["2b2320", "6b4128", "b98046", "8d8f97", "3a2c4a"];
    const SHIRT: [&str; 5] = ["3a4fd8", "147a47", "b3541e", "7a3e9d", "26324a"];
    const GROUND: [&str; 5] = ["dfe4ff", "d8f0e3", "ffe6d1", "f0e0f8", "e6e8ee"];
    const CUT: [&str; 4] = [
        "M10.6 15.5C10 8.5 14 6.6 18 6.6s8 1.9 7.4 8.9c-1.2-4-3.6-5-7.4-5s-6.2 1-7.4 5z",
        "M10 24c-1.6-11 1-17.6 8-17.6S27.6 13 26 24h-3.4c1.6-6 .8-10-1.2-11.6-3 .8-6 .6-7.8-.4-2 2-2.6 6.2-1.2 12z",
        "M11 13.5c-3.4-2.5-.6-7 2.6-6.4 2-2.6 7-2.6 8.8 0 3.2-.6 6 3.9 2.6 6.4-1.6-2.2-4-3-7-3s-5.4.8-7 3z",
        "M10.8 16c-.8-6.4 2-9.6 8.2-9.6 5 0 7 3.6 6.4 9.1-1.6-1.5-2.6-3.3-3-5-3.2 2.3-7.6 2.7-9.9 2.3z",
    ];
    // FNV-1a, so that similar uids get different portraits.
    let sum =
        uid.bytes().fold(0xcbf2_9ce4_8422_2325u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    if !matches!(uid, "ada" | "cy" | "eve" | "mariana") && !(sum >> 40).is_multiple_of(9) {
        return None;
    }
    let pick = |of: &[&'static str], bits: u32| of[(sum >> bits) as usize % of.len()];
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 36 36'><path fill='#{}' d='M0 0h36v36H0z'/>\
         <path fill='#{}' d='M5 37c0-8 6-11 13-11s13 3 13 11z'/><g fill='#{}'><path d='M15 20h6v7a3 3 0 0 1-6 0z'/>\
         <circle cx='18' cy='15.5' r='7'/></g><path fill='#{}' d='{}'/></svg>",
        pick(&GROUND, 8),
        pick(&SHIRT, 14),
        pick(&SKIN, 21),
        pick(&HAIR, 27),
        pick(&CUT, 34),
    );
    Some(format!(
        "data:image/svg+xml,{}",
        svg.replace('#', "%23").replace('<', "%3C").replace('>', "%3E").replace(' ', "%20")
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::identity::avatar_url;

    #[test]
    fn a_few_hundred_people_with_names_of_their_own() {
        let people: Vec<_> = everybody(1_800_000_000).collect();
        let names: HashSet<_> = people.iter().map(|row| row.name.clone().unwrap().as_str().to_owned()).collect();
        let uids: HashSet<_> = people.iter().map(|row| row.uid.clone()).collect();
        assert!(passengers(30).all(|(_, name)| !names.contains(&name)));
        assert_eq!((people.len(), names.len(), uids.len()), (321, 321, 321));
        assert_eq!(people.iter().filter(|row| row.scope == Some(Scope::Owner)).count(), 1);
        assert!(people.iter().all(|row| row.joined_at.unwrap() < 1_800_000_000));
    }

    #[test]
    fn portraits_are_pictures_that_a_browser_may_load() {
        let pictures: Vec<_> = everybody(1_800_000_000).filter_map(|row| row.avatar).collect();
        assert!((20..80).contains(&pictures.len()), "{}", pictures.len());
        assert!(pictures.iter().all(|url| avatar_url(url) == Some(url)));
    }

    #[test]
    fn forty_eight_are_there_at_first() {
        let uids: Vec<_> = everybody(1_800_000_000).map(|row| row.uid).collect();
        assert_eq!(online_at_start(&uids).count(), 48);
    }
}
