//! The rule sets that come with the program: the files of `rules/`, built in.

/// One rule set by name, as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name by which settings and commands know it.
    pub name: &'static str,
    /// The rule file.
    pub text: &'static str,
}

/// Every preset: the four of BAC-1, the variant of BAC-2, and two more layouts.
pub const PRESETS: [Preset; 7] = [
    Preset { name: "macau", text: include_str!("../../../rules/baccarat/macau.toml") },
    Preset { name: "macau-sjm", text: include_str!("../../../rules/baccarat/macau-sjm.toml") },
    Preset { name: "live", text: include_str!("../../../rules/baccarat/live.toml") },
    Preset {
        name: "no-commission",
        text: include_str!("../../../rules/baccarat/no-commission.toml"),
    },
    Preset { name: "chemin", text: include_str!("../../../rules/baccarat/chemin.toml") },
    Preset { name: "ez", text: include_str!("../../../rules/baccarat/ez.toml") },
    Preset { name: "extra", text: include_str!("../../../rules/baccarat/extra.toml") },
];

/// The preset of this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

/// The names of all presets, for messages: `macau, live, …`.
pub fn names() -> String {
    PRESETS.map(|preset| preset.name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_a_rule_set_of_its_name() {
        for preset in PRESETS {
            let rules = games::RuleSet::parse(preset.text).unwrap();
            assert_eq!(rules.name(), preset.name);
        }
        assert!(preset("Macau").is_none());
    }
}
