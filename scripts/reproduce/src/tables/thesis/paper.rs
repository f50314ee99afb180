//! The figures of Chapter 6, as they are printed.

/// Tables 6.2 and 6.3: timeouts and time in ms by `recursive` and `lattice-based`; small, medium and
/// large programs.
pub(super) const COSTS: [CostLine; 3] = [
    CostLine {
        timeouts: [0, 0],
        ms: [7_109, 12_765],
    },
    CostLine {
        timeouts: [10, 5],
        ms: [454_663, 377_573],
    },
    CostLine {
        timeouts: [39, 33],
        ms: [1_210_021, 1_121_559],
    },
];

/// A line of Tables 6.2 and 6.3.
pub(super) struct CostLine {
    pub timeouts: [u64; 2],
    pub ms: [u64; 2],
}

/// Table 6.4: `limit-cost` and path coverage of `lattice-based`.
pub(super) const LATTICE: [(u32, u64); 5] = [
    (1, 14_562),
    (2, 15_135),
    (3, 16_200),
    (5, 17_442),
    (10, 15_165),
];

/// The values of κ in Table 6.5.
pub(super) const KAPPAS: [u32; 5] = [1, 2, 3, 5, 10];

/// Table 6.5: `limit-cost` and path coverage of `recursive` by κ.
pub(super) const RECURSIVE: [(u32, [u64; 5]); 5] = [
    (1, [16_514, 17_170, 13_545, 17_662, 18_562]),
    (2, [18_078, 14_470, 15_228, 19_518, 20_819]),
    (3, [18_272, 14_651, 12_685, 16_718, 17_460]),
    (5, [17_492, 14_788, 13_393, 17_705, 19_960]),
    (10, [17_300, 13_270, 15_267, 18_176, 18_149]),
];

/// Table 6.6: the same as Table 6.4 for large programs.
pub(super) const LATTICE_LARGE: [(u32, u64); 4] =
    [(1, 24_136), (5, 20_576), (10, 20_363), (20, 20_101)];

/// A line for each search strategy (dfs, bfs, random, tree, coverage, klee) and a figure for each
/// merge strategy; a line that the thesis leaves out is empty.
pub(super) type ByStrategy = [&'static [u64]; 6];

/// Table 6.7, columns none, recursive, lattice-based, aggressive.
pub(super) const SMALLER_PATHS: ByStrategy = [
    &[35_463, 26_495, 22_923, 26_114],
    &[34_809, 25_134, 22_499, 25_906],
    &[34_187, 25_914, 22_761, 24_877],
    &[34_860, 25_391, 22_416, 19_328],
    &[29_553, 25_053, 24_277, 23_167],
    &[30_945, 24_558, 23_491, 23_943],
];

/// Table 6.8.
pub(super) const SMALLER_ERRORS: ByStrategy = [&[0; 4]; 6];

/// Table 6.9, ms.
pub(super) const SMALLER_MS: ByStrategy = [
    &[901_880, 908_698, 902_027, 901_872],
    &[925_980, 901_641, 901_806, 904_023],
    &[901_721, 901_954, 902_166, 901_939],
    &[901_939, 901_380, 901_694, 901_953],
    &[902_209, 901_658, 901_544, 902_193],
    &[901_924, 902_081, 901_926, 902_308],
];

/// Table 6.10.
pub(super) const SMALLER_TIMEOUTS: ByStrategy = [&[30; 4]; 6];

/// Table 6.11, columns none, lattice-based, aggressive.
pub(super) const LARGER_PATHS: ByStrategy = [
    &[42_342, 25_439, 22_246],
    &[42_245, 24_987, 22_078],
    &[42_789, 25_185, 23_270],
    &[44_839, 24_840, 18_697],
    &[44_981, 26_891, 24_489],
    &[45_272, 26_456, 25_275],
];

/// Table 6.12.
pub(super) const LARGER_ERRORS: ByStrategy = [
    &[6, 6, 6],
    &[6, 6, 6],
    &[6, 6, 4],
    &[7, 6, 5],
    &[5, 6, 4],
    &[7, 6, 6],
];

/// Table 6.13, ms.
pub(super) const LARGER_MS: ByStrategy = [
    &[1_175_992, 1_286_597, 1_163_204],
    &[1_176_129, 1_221_521, 1_162_780],
    &[1_167_890, 1_195_775, 1_218_451],
    &[1_154_474, 1_225_384, 1_183_792],
    &[1_189_595, 1_167_928, 1_207_693],
    &[1_152_564, 1_168_480, 1_164_299],
];

/// Table 6.14.
pub(super) const LARGER_TIMEOUTS: ByStrategy = [
    &[38, 38, 38],
    &[38, 38, 38],
    &[38, 38, 40],
    &[37, 38, 39],
    &[39, 38, 40],
    &[37, 38, 38],
];

/// Table 6.15, without `random`.
pub(super) const LARGER_SUMS: ByStrategy = [
    &[44, 44, 44],
    &[44, 44, 44],
    &[],
    &[44, 44, 44],
    &[44, 44, 44],
    &[44, 44, 44],
];

/// A line of Tables 6.17 to 6.20.
#[derive(Clone, Copy, Debug)]
pub(super) struct FinalLine {
    pub paths: u64,
    pub ms: u64,
    pub timeouts: u64,
    pub errors: u64,
}

const fn line(paths: u64, ms: u64, timeouts: u64, errors: u64) -> FinalLine {
    FinalLine {
        paths,
        ms,
        timeouts,
        errors,
    }
}

/// Table 6.17: no technique; a line for each set of Table 6.16, as below.
pub(super) const NOTHING: [FinalLine; 18] = [
    line(37_806, 901_826, 30, 0),
    line(40_581, 872_229, 29, 0),
    line(47_607, 1_141_582, 38, 0),
    line(50_149, 1_141_485, 38, 0),
    line(28_069, 724_232, 24, 0),
    line(28_011, 874_873, 29, 0),
    line(3_041, 62_081, 2, 48),
    line(7_868, 151_910, 5, 45),
    line(5_657, 152_193, 5, 45),
    line(3_419, 62_452, 2, 48),
    line(825, 46_485, 1, 49),
    line(4_492, 123_366, 4, 46),
    line(28_667, 784_102, 26, 11),
    line(33_562, 933_317, 31, 1),
    line(43_290, 1_085_621, 36, 6),
    line(43_131, 966_059, 32, 9),
    line(19_869, 741_374, 24, 7),
    line(28_916, 994_137, 33, 0),
];

/// Table 6.18: state merging.
pub(super) const MERGING: [FinalLine; 18] = [
    line(33_542, 901_403, 30, 0),
    line(35_889, 871_625, 29, 0),
    line(36_455, 1_141_582, 38, 0),
    line(40_295, 1_141_203, 38, 0),
    line(24_357, 723_835, 24, 0),
    line(22_908, 874_392, 29, 0),
    line(2_414, 62_152, 2, 48),
    line(7_342, 151_616, 5, 45),
    line(5_696, 151_771, 5, 45),
    line(2_844, 61_835, 2, 48),
    line(505, 35_563, 0, 50),
    line(4_100, 122_836, 4, 46),
    line(24_676, 783_858, 26, 11),
    line(28_680, 932_748, 31, 2),
    line(35_522, 1_085_621, 36, 6),
    line(36_124, 964_590, 32, 9),
    line(16_948, 731_073, 24, 7),
    line(27_241, 993_267, 33, 0),
];

/// Table 6.19: subsumption.
pub(super) const SUBSUMPTION: [FinalLine; 18] = [
    line(15_272, 55_836, 18, 0),
    line(19_099, 603_792, 19, 2),
    line(24_668, 947_529, 31, 0),
    line(23_842, 929_905, 30, 1),
    line(12_478, 455_024, 13, 0),
    line(4_322, 429_401, 11, 4),
    line(817, 64_676, 2, 47),
    line(6_968, 152_370, 5, 45),
    line(1_554, 44_621, 1, 45),
    line(2_104, 67_741, 2, 48),
    line(1_875, 109_909, 3, 47),
    line(2_188, 162_591, 5, 44),
    line(17_037, 587_409, 18, 11),
    line(19_369, 715_169, 22, 2),
    line(26_851, 785_561, 25, 6),
    line(29_095, 918_933, 29, 7),
    line(9_566, 422_012, 12, 7),
    line(8_098, 670_180, 19, 3),
];

/// Table 6.20: loop summarisation.
pub(super) const SUMMARISATION: [FinalLine; 18] = [
    line(3_099, 251_633, 8, 0),
    line(9_422, 498_189, 16, 1),
    line(9_468, 640_904, 21, 0),
    line(8_529, 502_850, 16, 0),
    line(2_507, 203_684, 6, 0),
    line(5_362, 305_749, 9, 0),
    line(456, 35_600, 1, 49),
    line(212, 33_980, 1, 45),
    line(760, 36_435, 1, 45),
    line(1_895, 65_962, 2, 48),
    line(1_810, 106_600, 3, 47),
    line(2_121, 104_310, 3, 44),
    line(6_503, 434_515, 14, 10),
    line(7_960, 497_141, 16, 3),
    line(10_525, 584_797, 19, 5),
    line(4_786, 293_972, 9, 7),
    line(5_393, 318_674, 10, 5),
    line(4_689, 329_352, 10, 0),
];
